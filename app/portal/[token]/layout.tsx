import type { Metadata } from "next";
import { type ReactNode, Suspense } from "react";
import { PortalShell } from "#components/portal/portal-shell.tsx";

export const metadata: Metadata = {
  title: { default: "Webhooks", template: "%s · Webhooks" },
  description: "Your webhooks: endpoints, what was sent to them, and what came back.",
};

export default function PortalLayout({ children }: { children: ReactNode }) {
  return (
    <Suspense>
      <PortalShell>{children}</PortalShell>
    </Suspense>
  );
}
