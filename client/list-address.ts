const KEY = "posthorn.deliveries";

/** Of the delivery that is shown beside the list. */
export const OPEN_PARAMETER = "open";

/** Notes how the list of deliveries is filtered, for this tab. `list`: its address. */
export function noteListAddress(tenantId: string, list: string): void {
  const { pathname, search } = window.location;
  const kept = new URLSearchParams(search);
  kept.delete(OPEN_PARAMETER);
  // On the way to another page the list is still drawn, but the address is that page's already.
  if (pathname !== pathOf(list)) return;
  whereStored((storage) => storage.setItem(`${KEY}.${tenantId}`, kept.size > 0 ? `?${kept}` : ""));
}

/** The list as one left it; `list` where that is not known. */
export function listAddress(tenantId: string, list: string): string {
  const search = whereStored((storage) => storage.getItem(`${KEY}.${tenantId}`));
  return search ? pathOf(list) + search : list;
}

const pathOf = (address: string) => address.split("?", 1)[0];

/** A page within a frame of another site may have no storage: then even looking at it throws. */
function whereStored<T>(work: (storage: Storage) => T): T | undefined {
  try {
    return work(sessionStorage);
  } catch {
    return undefined;
  }
}
