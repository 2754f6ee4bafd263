import { type ReactNode, Suspense } from "react";
import { ConsoleShell } from "#components/shell/console-shell.tsx";

export default function ConsoleLayout({ children }: { children: ReactNode }) {
  return (
    <Suspense>
      <ConsoleShell>{children}</ConsoleShell>
    </Suspense>
  );
}
