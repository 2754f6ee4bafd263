import { queryOptions } from "@tanstack/react-query";
import { getHealth, getSettings } from "#contracts/settings.ts";
import { call } from "./api.ts";

export const settingsQuery = queryOptions({
  queryKey: ["settings"],
  queryFn: ({ signal }) => call(getSettings, { signal }),
});

export const healthQuery = queryOptions({
  queryKey: ["health"],
  queryFn: ({ signal }) => call(getHealth, { signal }),
});
