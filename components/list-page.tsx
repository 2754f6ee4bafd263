"use client";

import { Button } from "@mantine/core";
import type { InfiniteData, UseInfiniteQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { counted } from "#client/format.ts";
import type { Page } from "#contracts/page.ts";
import { useAnnounce } from "./announcer.tsx";
import classes from "./list-page.module.css";
import { ProblemAlert } from "./problem-alert.tsx";

interface ListPageProps<T> {
  list: UseInfiniteQueryResult<InfiniteData<Page<T>>>;
  /** What one of them is called, and several. */
  nouns: readonly [one: string, several: string];
  /** Shown when there is nothing. */
  empty: ReactNode;
  /** The table: its rows, and whether they are still being read. */
  children(rows: readonly T[], isLoading: boolean): ReactNode;
}

/** A list that comes page by page, in each of its states: loading, failed, empty, read again, and with more to come. */
export function ListPage<T>({ list, nouns: [one, several], empty, children }: ListPageProps<T>) {
  const announce = useAnnounce();
  const rows = list.data?.pages.flatMap(({ items }) => items) ?? [];
  if (list.error && !list.data)
    return <ProblemAlert error={list.error} onRetry={() => void list.refetch()} />;
  const loadMore = () =>
    void list.fetchNextPage().then(({ data }) => {
      const now = data?.pages.reduce((sum, { items }) => sum + items.length, 0) ?? rows.length;
      announce(`${counted(now - rows.length, `more ${one}`, `more ${several}`)}`);
    });
  return (
    <>
      <div className={classes.list} data-dimmed={list.isPlaceholderData || undefined}>
        {children(rows, list.isPending)}
        {list.isSuccess && rows.length === 0 && empty}
      </div>
      {list.isFetchNextPageError && <ProblemAlert error={list.error} onRetry={loadMore} />}
      {rows.length > 0 && (
        <div className={classes.foot}>
          <span>{counted(rows.length, one, several)} shown</span>
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
