import type { RefObject } from "react";
import { useShortcut } from "#client/use-shortcut.ts";

/** Marks the link that stands for its whole row; its value is the id of what the row is of, where that matters. */
export const ROW_LINK = "data-row-link";

/** The link of the row that the focus is within. */
export const focusedRow = (): HTMLElement | null =>
  document.activeElement?.closest("tr")?.querySelector<HTMLElement>(`[${ROW_LINK}]`) ?? null;

/** The link of the row of one thing. */
export const rowOf = (id: string): HTMLElement | null =>
  document.querySelector<HTMLElement>(`[${ROW_LINK}="${CSS.escape(id)}"]`);

/** Lets `j` and `k` move the focus from row to row of a table. */
export function useRowKeys(body: RefObject<HTMLElement | null>): void {
  const move = (by: 1 | -1) => {
    const links = [...(body.current?.querySelectorAll<HTMLElement>(`[${ROW_LINK}]`) ?? [])];
    const at = links.indexOf(document.activeElement as HTMLElement);
    links[at === -1 ? 0 : Math.min(links.length - 1, Math.max(0, at + by))]?.focus();
  };
  useShortcut("next", () => move(1));
  useShortcut("previous", () => move(-1));
}
