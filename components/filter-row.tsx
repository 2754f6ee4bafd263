"use client";

import { Button } from "@mantine/core";
import type { ReactNode } from "react";
import classes from "./filter-row.module.css";
import { IdBox } from "./id-box.tsx";

interface FilterRowProps {
  /** What is filtered: `Filter events`. */
  name: string;
  isFiltered: boolean;
  onClear: () => void;
  children: ReactNode;
}

/** What stands above a list: the box for ids, the filters, and the way out of them. */
export function FilterRow({ name, isFiltered, onClear, children }: FilterRowProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: `search` is not known to the type definitions of all engines.
    <div className={classes.bar} role="search" aria-label={name}>
      <IdBox className={classes.box} />
      {children}
      {isFiltered && (
        <Button size="xs" variant="subtle" color="gray" onClick={onClear}>
          Clear
        </Button>
      )}
    </div>
  );
}
