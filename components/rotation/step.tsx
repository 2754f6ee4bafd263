import { Title } from "@mantine/core";
import type { ReactNode } from "react";
import classes from "./rotation.module.css";

interface StepProps {
  number: number;
  title: string;
  /** Its turn has not come. */
  isWaiting: boolean;
  children: ReactNode;
}

/** One step of a guided flow. Steps to come are there to read. */
export function Step({ number, title, isWaiting, children }: StepProps) {
  return (
    <li className={classes.step} data-waiting={isWaiting || undefined}>
      <span className={classes.number} aria-hidden="true">
        {number}
      </span>
      <div className={classes.content}>
        <Title order={2}>{title}</Title>
        {children}
      </div>
    </li>
  );
}
