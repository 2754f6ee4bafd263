import { MutationCache, QueryCache, QueryClient } from "@tanstack/react-query";
import { ApiProblem, isPassing } from "#sdk/api-problem.ts";

const MAX_RETRIES = 2;

/** What keeps the answers of a page's calls. A 401 from any of them means that nobody is known here any more. */
export function newQueryClient(onUnauthorized: (client: QueryClient) => void): QueryClient {
  const onError = (error: unknown) => {
    if (error instanceof ApiProblem && error.status === 401) onUnauthorized(client);
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
