import type { ReactNode } from "react";
import { CopyIcon } from "./copy-icon.tsx";
import classes from "./facts.module.css";

interface FactsProps {
  /** One below the other, each beside its name; else in columns with the names above. */
  isList?: boolean;
  children: ReactNode;
}

/** What there is to know of a thing, each with its name. `data-mono` and `data-aside` dress the parts of a value. */
export function Facts({ isList = false, children }: FactsProps) {
  return (
    <dl className={classes.facts} data-list={isList || undefined}>
      {children}
    </dl>
  );
}

/** `copy` is what a press copies. */
export function Fact({ name, copy, children }: { name: string; copy?: string; children: ReactNode }) {
  return (
    <div className={classes.fact}>
      <dt>{name}</dt>
      <dd>
        {children}
        {copy && <CopyIcon value={copy} what={name.toLowerCase()} />}
      </dd>
    </div>
  );
}
