"use client";

import { NavLink } from "@mantine/core";
import Link from "next/link";
import { withTenant } from "#client/use-tenant.ts";
import { isWithin, SECTION_GROUPS } from "./navigation.ts";
import classes from "./rail.module.css";

/** The list of sections. Before a tenant is known its links are there to see, and lead to the start. */
export function Rail({ path, tenantId }: { path: string; tenantId: string | null }) {
  return SECTION_GROUPS.map((sections) => (
    <ul key={sections[0]?.href} className={classes.list}>
      {sections.map((section) => {
        const isHere = isWithin(path, section);
        return (
          <li key={section.href}>
            <NavLink
              component={Link}
              href={tenantId ? withTenant(section.href, tenantId) : section.href}
              label={section.label}
              leftSection={<section.icon size={17} stroke={1.7} />}
              active={isHere}
              aria-current={isHere ? "page" : undefined}
              className={classes.link}
            />
          </li>
        );
      })}
    </ul>
  ));
}
