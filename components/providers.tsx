"use client";

import { MantineProvider } from "@mantine/core";
import { MutationCache, QueryCache, QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { NuqsAdapter } from "nuqs/adapters/next/app";
import { type ReactNode, useState } from "react";
import { sessionQuery } from "#client/session.ts";
import { ApiProblem, isPassing } from "#sdk/api-problem.ts";
import { AnnouncerProvider } from "./announcer.tsx";
import { theme, variables } from "./theme.ts";

const MAX_RETRIES = 2;

/** What every page stands on. `nonce` is that of the page's content security policy. */
export function Providers({ nonce, children }: { nonce: string; children: ReactNode }) {
  const [client] = useState(newQueryClient);
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

/** A 401 from anywhere means that the session has ended: whoever watches it goes to sign in. */
function newQueryClient(): QueryClient {
  const onError = (error: unknown) => {
    if (error instanceof ApiProblem && error.status === 401) client.setQueryData(sessionQuery.queryKey, null);
  };
  const client = new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      queries: {
        retry: (failures, error) => failures < MAX_RETRIES && isPassing(error),
        refetchOnWindowFocus: false,
        // A query that cannot reach the server says so; it does not wait in silence for the browser to be online.
        networkMode: "always",
      },
      mutations: { networkMode: "always" },
    },
  });
  return client;
}
