import type { Metadata } from "next";
import { EndpointList } from "#components/endpoints/endpoint-list.tsx";

export const metadata: Metadata = { title: "Endpoints" };

export default function EndpointsPage() {
  return <EndpointList />;
}
