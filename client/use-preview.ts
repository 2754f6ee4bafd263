import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { previewEndpoint } from "#contracts/endpoint-preview.ts";
import { call } from "./api.ts";

/** What of the last events these types and this filter, JSON text, let pass; nothing while the text is no JSON. */
export function usePreview(tenantId: string, eventTypes: readonly string[], filter: string) {
  const read = readJson(filter);
  return useQuery({
    queryKey: ["endpoints", "preview", tenantId, eventTypes, filter.trim()],
    queryFn: ({ signal }) =>
      call(previewEndpoint, {
        tenantId,
        body: { event_types: [...eventTypes], filter: read.value as Record<string, unknown> | null },
        signal,
      }),
    enabled: read.isGood && eventTypes.length > 0,
    placeholderData: keepPreviousData,
    retry: false,
  });
}

function readJson(text: string): { isGood: boolean; value: unknown } {
  if (text.trim() === "") return { isGood: true, value: null };
  try {
    return { isGood: true, value: JSON.parse(text) };
  } catch {
    return { isGood: false, value: null };
  }
}
