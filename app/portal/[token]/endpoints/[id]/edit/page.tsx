import type { Metadata } from "next";
import { EditEndpointPage } from "#components/endpoint-form/edit-endpoint-page.tsx";

export const metadata: Metadata = { title: "Edit endpoint" };

export default function EditEndpointRoute() {
  return <EditEndpointPage />;
}
