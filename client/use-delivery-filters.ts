import { useQueryStates } from "nuqs";
import { useMemo } from "react";
import { type Filters, filterParsers, NO_FILTERS } from "./delivery-filters.ts";

/** The filters in the address, and how to change some of them. Each change is a step of the browser's history. */
export function useDeliveryFilters() {
  const [filters, set] = useQueryStates(filterParsers, { history: "push" });
  return useMemo(
    () => ({
      filters,
      change: (some: Partial<Filters>) => void set(some),
      clear: () => void set(NO_FILTERS),
    }),
    [filters, set],
  );
}
