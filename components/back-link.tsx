"use client";

import { Anchor } from "@mantine/core";
import { IconArrowLeft } from "@tabler/icons-react";
import Link from "next/link";
import { withTenant } from "#client/use-tenant.ts";
import classes from "./back-link.module.css";
import { useConsole } from "./console-context.tsx";

/** The way up, to the page that this one belongs to. */
export function BackLink({ path, children }: { path: string; children: string }) {
  const { tenantId } = useConsole();
  return (
    <Anchor component={Link} href={withTenant(path, tenantId)} size="sm" c="dimmed" className={classes.back}>
      <IconArrowLeft size={15} aria-hidden="true" />
      {children}
    </Anchor>
  );
}
