import { Text, Title } from "@mantine/core";
import type { ReactNode } from "react";
import classes from "./empty-note.module.css";

/** Says why there is nothing to see and what to do about it. */
export function EmptyNote({
  title,
  level = 2,
  children,
  action,
}: {
  title: string;
  /** 1 where the note is the whole page. */
  level?: 1 | 2;
  children: ReactNode;
  action?: ReactNode;
}) {
  return (
    <div className={classes.note}>
      <Title order={level} size="h2">
        {title}
      </Title>
      <Text size="sm" c="dimmed" maw={520} component="div">
        {children}
      </Text>
      {action}
    </div>
  );
}
