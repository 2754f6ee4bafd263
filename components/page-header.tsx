import { Text, Title } from "@mantine/core";
import type { ReactNode } from "react";
import classes from "./page-header.module.css";

/** The title of a page and a line that says what it is about. */
export function PageHeader({ title, children }: { title: string; children: ReactNode }) {
  return (
    <header className={classes.header}>
      <Title order={1}>{title}</Title>
      <Text size="sm" c="dimmed">
        {children}
      </Text>
    </header>
  );
}
