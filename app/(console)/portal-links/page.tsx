import type { Metadata } from "next";
import { PortalLinkList } from "#components/portal-links/portal-link-list.tsx";

export const metadata: Metadata = { title: "Portal links" };

export default function PortalLinksPage() {
  return <PortalLinkList />;
}
