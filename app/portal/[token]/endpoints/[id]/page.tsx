import type { Metadata } from "next";
import { EndpointPage } from "#components/endpoint/endpoint-page.tsx";

export const metadata: Metadata = { title: "Endpoint" };

export default function OneEndpointPage() {
  return <EndpointPage />;
}
