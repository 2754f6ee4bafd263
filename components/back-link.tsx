"use client";

import { Anchor } from "@mantine/core";
import { IconArrowLeft } from "@tabler/icons-react";
import Link from "next/link";
import classes from "./back-link.module.css";
import { useWorkspace } from "./workspace-context.tsx";

/** The way up, to the page that this one belongs to. */
export function BackLink({ path, children }: { path: string; children: string }) {
  const { href } = useWorkspace();
  return (
    <Anchor component={Link} href={href(path)} size="sm" c="dimmed" className={classes.back}>
      <IconArrowLeft size={15} aria-hidden="true" />
      {children}
    </Anchor>
  );
}
