"use client";

import { Anchor } from "@mantine/core";
import { IconArrowLeft } from "@tabler/icons-react";
import Link from "next/link";
import classes from "./back-link.module.css";

/** The way up, to the page that this one belongs to. */
export function BackLink({ href, children }: { href: string; children: string }) {
  return (
    <Anchor component={Link} href={href} size="sm" c="dimmed" className={classes.back}>
      <IconArrowLeft size={15} aria-hidden="true" />
      {children}
    </Anchor>
  );
}
