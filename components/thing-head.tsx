import { Code, Group, Title } from "@mantine/core";
import type { ReactNode } from "react";
import { CopyIcon } from "./copy-icon.tsx";
import classes from "./thing-head.module.css";

interface ThingHeadProps {
  title: string;
  /** Beside the title: its status, or what marks it. */
  mark?: ReactNode;
  /** Shown below it with a way to copy it; `what` names it: `event id`. */
  id?: { value: string; what: string };
  /** Below the title in place of an id. */
  line?: ReactNode;
  children?: ReactNode;
}

/** The head of the page of one thing: its title, and what can be done with it. */
export function ThingHead({ title, mark, id, line, children }: ThingHeadProps) {
  return (
    <div className={classes.top}>
      <div className={classes.title}>
        <Group gap="md" align="center">
          <Title order={1} className={classes.name}>
            {title}
          </Title>
          {mark}
        </Group>
        {id && (
          <Group gap={4} wrap="nowrap">
            <Code className={classes.id}>{id.value}</Code>
            <CopyIcon value={id.value} what={id.what} />
          </Group>
        )}
        {line}
      </div>
      <div className={classes.actions}>{children}</div>
    </div>
  );
}
