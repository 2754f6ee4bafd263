import { useLocalStorage } from "@mantine/hooks";
import * as z from "zod";
import { DELIVERY_STATUSES } from "#contracts/deliveries.ts";
import { AGE_NAMES, type Filters, NO_FILTERS, WINDOW_NAMES } from "./delivery-filters.ts";

/** Filters with a name. */
export interface View {
  name: string;
  filters: Filters;
}

/** What people look for most. */
export const PRESETS: readonly View[] = [
  { name: "Failed", filters: { ...NO_FILTERS, status: ["failed"] } },
  { name: "Pending", filters: { ...NO_FILTERS, status: ["pending", "in_flight"] } },
  { name: "Slow", filters: { ...NO_FILTERS, status: ["pending", "in_flight"], older: "10m" } },
];

const MAX_VIEWS = 30;
export const MAX_VIEW_NAME = 60;

const Views = z.array(
  z.object({
    name: z.string(),
    filters: z.object({
      status: z.array(z.enum(DELIVERY_STATUSES)),
      endpoint: z.string().nullable(),
      event: z.string().nullable(),
      type: z.array(z.string()),
      reason: z.array(z.string()),
      window: z.enum(WINDOW_NAMES).nullable(),
      older: z.enum(AGE_NAMES).nullable(),
      q: z.string().nullable(),
    }),
  }),
);

/** The views that a text in the browser's storage holds; none of what cannot be read. */
export function parseViews(text: string | undefined): View[] {
  try {
    const parsed = Views.safeParse(JSON.parse(text ?? "[]"));
    return parsed.success ? parsed.data : [];
  } catch {
    return [];
  }
}

/** The views with one more, in the place of one of the same name; the oldest makes room. */
export function withView(views: readonly View[], view: View): View[] {
  return [...views.filter(({ name }) => name !== view.name), view].slice(-MAX_VIEWS);
}

/** Whether two sets of filters show the same. */
export const isSameFilters = (a: Filters, b: Filters): boolean =>
  JSON.stringify({ ...NO_FILTERS, ...a }) === JSON.stringify({ ...NO_FILTERS, ...b });

/** The views saved in this browser, for one tenant, since endpoints are a tenant's. */
export function useSavedViews(tenantId: string) {
  const [views, store] = useLocalStorage<View[]>({
    key: `posthorn.views.${tenantId}`,
    defaultValue: [],
    deserialize: parseViews,
  });
  return {
    views,
    save: (view: View) => store(withView(views, view)),
    remove: (name: string) => store(views.filter((view) => view.name !== name)),
  };
}
