import { Text, Title } from "@mantine/core";
import type { ReactNode } from "react";
import classes from "./page-header.module.css";

interface PageHeaderProps {
  title: string;
  /** What can be done here beside looking, such as making a new one. */
  action?: ReactNode;
  children: ReactNode;
}

/** The title of a page and a line that says what it is about. */
export function PageHeader({ title, action, children }: PageHeaderProps) {
  return (
    <header className={classes.header}>
      <div className={classes.words}>
        <Title order={1}>{title}</Title>
        <Text size="sm" c="dimmed">
          {children}
        </Text>
      </div>
      {action}
    </header>
  );
}
