import type { Metadata } from "next";
import { RotationPage } from "#components/rotation/rotation-page.tsx";

export const metadata: Metadata = { title: "Rotate the secret" };

export default function RotateSecretPage() {
  return <RotationPage />;
}
