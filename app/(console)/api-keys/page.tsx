import type { Metadata } from "next";
import { KeyList } from "#components/api-keys/key-list.tsx";

export const metadata: Metadata = { title: "API keys" };

export default function ApiKeysPage() {
  return <KeyList />;
}
