"use client";

import { Skeleton, VisuallyHidden } from "@mantine/core";
import Link from "next/link";
import { type ReactNode, useRef } from "react";
import classes from "./data-table.module.css";
import { ROW_LINK, useRowKeys } from "./use-row-keys.ts";

export interface Column<T> {
  name: string;
  /** A CSS width; what is left goes to those without one. */
  width?: string;
  align?: "right";
  /** Leaves when the table is narrower than that: 62 rem, 46 rem. It must be told elsewhere in the row then, or not matter. */
  hide?: "medium" | "narrow";
  cell(row: T): ReactNode;
}

interface DataTableProps<T> {
  /** What the table holds and in which order, for those who cannot see it. */
  caption: string;
  /** The first holds the link of the row. */
  columns: readonly [Column<T>, ...Column<T>[]];
  rows: readonly T[];
  keyOf(row: T): string;
  /** Where a row leads; rows without it lead nowhere. */
  hrefOf?: (row: T) => string;
  /** What the link of a row says to those who hear it, where its text is not enough. */
  labelOf?: (row: T) => string;
  isLoading: boolean;
  /** As many as there are likely to be, so that nothing jumps when they come. */
  skeletonRows?: number;
}

/** A list as a table. `j` and `k` move the focus from row to row, Enter opens. Nothing at all when there are no rows. */
export function DataTable<T>({
  caption,
  columns,
  rows,
  keyOf,
  hrefOf,
  labelOf,
  isLoading,
  skeletonRows = 12,
}: DataTableProps<T>) {
  const body = useRef<HTMLTableSectionElement>(null);
  useRowKeys(body);
  if (!isLoading && rows.length === 0) return null;
  return (
    <div className={classes.frame}>
      <table className={classes.table} aria-busy={isLoading}>
        <VisuallyHidden component="caption">
          {caption}
          {hrefOf && " Press j and k to move between rows, Enter to open one."}
        </VisuallyHidden>
        <thead>
          <tr>
            {columns.map(({ name, width, align, hide }) => (
              <th key={name} scope="col" data-align={align} data-hide={hide} style={{ width }}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody ref={body}>
          {isLoading
            ? Array.from({ length: skeletonRows }, (_, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: they are all alike and never move.
                <tr key={index}>
                  {columns.map(({ name, align, hide }) => (
                    <td key={name} data-align={align} data-hide={hide}>
                      <Skeleton height={12} width="70%" />
                    </td>
                  ))}
                </tr>
              ))
            : rows.map((row) => (
                <tr key={keyOf(row)} className={hrefOf && classes.row}>
                  {columns.map(({ name, align, hide, cell }, index) => (
                    <td key={name} data-align={align} data-hide={hide}>
                      {hrefOf && index === 0 ? (
                        <Link
                          {...{ [ROW_LINK]: "" }}
                          className={classes.link}
                          href={hrefOf(row)}
                          prefetch={false}
                          aria-label={labelOf?.(row)}
                        >
                          {cell(row)}
                        </Link>
                      ) : (
                        cell(row)
                      )}
                    </td>
                  ))}
                </tr>
              ))}
        </tbody>
      </table>
    </div>
  );
}
