"use client";

import { Button } from "@mantine/core";
import { IconBuilding, IconSelector } from "@tabler/icons-react";
import { usePathname, useRouter } from "next/navigation";
import { tenantName, withTenant } from "#client/use-tenant.ts";
import type { Tenant } from "#contracts/tenants.ts";
import { PickList } from "../pick-list.tsx";
import { isWithin, SECTION_GROUPS } from "./navigation.ts";
import classes from "./tenant-menu.module.css";

const SEARCHABLE_FROM = 8;

/** Shows which tenant one looks at, and leads to the same section of another. */
export function TenantMenu({ tenants, tenantId }: { tenants: readonly Tenant[]; tenantId: string }) {
  const router = useRouter();
  const path = usePathname();
  const go = (id: string) => {
    const section = SECTION_GROUPS.flat().find((each) => isWithin(path, each));
    router.push(withTenant(section?.href ?? "/deliveries", id));
  };
  const name = tenantName(tenants, tenantId);
  return (
    <PickList
      name="Tenants"
      options={tenants.map((tenant) => ({ value: tenant.id, label: tenant.name, text: tenant.name }))}
      picked={[tenantId]}
      onToggle={go}
      searchable={tenants.length >= SEARCHABLE_FROM}
      single
    >
      {(open) => (
        <Button
          size="xs"
          variant="default"
          className={classes.button}
          leftSection={<IconBuilding size={15} stroke={1.7} />}
          rightSection={<IconSelector size={14} />}
          aria-label={`Tenant: ${name}`}
          onClick={open}
        >
          <span className={classes.name}>{name}</span>
        </Button>
      )}
    </PickList>
  );
}
