"use client";

import { MantineProvider } from "@mantine/core";
import { QueryClientProvider } from "@tanstack/react-query";
import { NuqsAdapter } from "nuqs/adapters/next/app";
import { type ReactNode, useState } from "react";
import { newQueryClient } from "#client/query-client.ts";
import { sessionQuery } from "#client/session.ts";
import { AnnouncerProvider } from "./announcer.tsx";
import { theme, variables } from "./theme.ts";

/** What every page stands on. `nonce` is that of the page's content security policy. */
export function Providers({ nonce, children }: { nonce: string; children: ReactNode }) {
  // The session has ended: whoever watches it goes to sign in.
  const [client] = useState(() => newQueryClient((all) => all.setQueryData(sessionQuery.queryKey, null)));
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={variables}
      defaultColorScheme="auto"
      getStyleNonce={() => nonce}
    >
      <QueryClientProvider client={client}>
        <NuqsAdapter>
          <AnnouncerProvider>{children}</AnnouncerProvider>
        </NuqsAdapter>
      </QueryClientProvider>
    </MantineProvider>
  );
}
