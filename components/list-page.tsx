"use client";

import type { InfiniteData, UseInfiniteQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import type { Page } from "#contracts/page.ts";
import { ListFoot } from "./list-foot.tsx";
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
export function ListPage<T>({ list, nouns, empty, children }: ListPageProps<T>) {
  const rows = list.data?.pages.flatMap(({ items }) => items) ?? [];
  if (list.error && !list.data)
    return <ProblemAlert error={list.error} onRetry={() => void list.refetch()} />;
  return (
    <>
      <div className={classes.list} data-dimmed={list.isPlaceholderData || undefined}>
        {children(rows, list.isPending)}
        {list.isSuccess && rows.length === 0 && empty}
      </div>
      <ListFoot list={list} shown={rows.length} nouns={nouns} />
    </>
  );
}
