"use client";

import { PageError } from "#components/page-error.tsx";

export default function PortalError({ reset }: { error: Error; reset: () => void }) {
  return <PageError onRetry={reset} />;
}
