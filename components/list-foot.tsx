"use client";

import { Button } from "@mantine/core";
import type { InfiniteData, UseInfiniteQueryResult } from "@tanstack/react-query";
import { counted } from "#client/format.ts";
import type { Page } from "#contracts/page.ts";
import { useAnnounce } from "./announcer.tsx";
import classes from "./list-foot.module.css";
import { ProblemAlert } from "./problem-alert.tsx";

/** A list that is read page by page. */
export type PagedList<T> = Pick<
  UseInfiniteQueryResult<InfiniteData<Page<T>>>,
  "isFetchNextPageError" | "hasNextPage" | "isFetchingNextPage" | "error" | "fetchNextPage"
>;

interface ListFootProps<T> {
  list: PagedList<T>;
  /** How many rows there are by now. */
  shown: number;
  /** What one of them is called, and several. */
  nouns: readonly [one: string, several: string];
}

/** How many rows are shown, and the way to more of them. */
export function ListFoot<T>({ list, shown, nouns: [one, several] }: ListFootProps<T>) {
  const announce = useAnnounce();
  const loadMore = () =>
    void list.fetchNextPage().then(({ data }) => {
      const now = data?.pages.reduce((sum, { items }) => sum + items.length, 0) ?? shown;
      announce(counted(now - shown, `more ${one}`, `more ${several}`));
    });
  return (
    <>
      {list.isFetchNextPageError && <ProblemAlert error={list.error} onRetry={loadMore} />}
      {shown > 0 && (
        <div className={classes.foot}>
          <span>{counted(shown, one, several)} shown</span>
          {list.hasNextPage && (
            <Button size="xs" variant="default" loading={list.isFetchingNextPage} onClick={loadMore}>
              Load more
            </Button>
          )}
        </div>
      )}
    </>
  );
}
