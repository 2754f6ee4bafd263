import type { Metadata } from "next";
import { NewEndpointPage } from "#components/endpoint-form/new-endpoint-page.tsx";

export const metadata: Metadata = { title: "New endpoint" };

export default function NewEndpointRoute() {
  return <NewEndpointPage />;
}
