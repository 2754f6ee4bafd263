"use client";

import { Button, Menu, ScrollArea, Text } from "@mantine/core";
import { IconBuilding, IconSelector } from "@tabler/icons-react";
import { usePathname, useRouter } from "next/navigation";
import { useState } from "react";
import { tenantName, withTenant } from "#client/use-tenant.ts";
import type { Tenant } from "#contracts/tenants.ts";
import { isWithin, SECTIONS } from "./navigation.ts";
import classes from "./tenant-menu.module.css";

const SEARCHABLE_FROM = 8;

/** Shows which tenant one looks at, and leads to the same section of another. */
export function TenantMenu({ tenants, tenantId }: { tenants: readonly Tenant[]; tenantId: string }) {
  const [search, setSearch] = useState("");
  const router = useRouter();
  const path = usePathname();
  const go = (id: string) => {
    const section = SECTIONS.find((each) => isWithin(path, each));
    router.push(withTenant(section?.href ?? "/deliveries", id));
  };
  const wanted = search.trim().toLowerCase();
  const found = tenants.filter(({ id, name }) => name.toLowerCase().includes(wanted) || id === wanted);
  const name = tenantName(tenants, tenantId);
  return (
    <Menu position="bottom-start" width={260}>
      <Menu.Target>
        <Button
          size="xs"
          variant="default"
          className={classes.button}
          leftSection={<IconBuilding size={15} stroke={1.7} />}
          rightSection={<IconSelector size={14} />}
          aria-label={`Tenant: ${name}`}
        >
          <span className={classes.name}>{name}</span>
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {tenants.length >= SEARCHABLE_FROM && (
          <Menu.Search
            aria-label="Find a tenant"
            placeholder="Find a tenant…"
            value={search}
            onChange={(event) => setSearch(event.currentTarget.value)}
          />
        )}
        <ScrollArea.Autosize mah={360} type="auto">
          <Menu.RadioGroup value={tenantId} onChange={go}>
            {found.map((tenant) => (
              <Menu.RadioItem key={tenant.id} value={tenant.id} closeMenuOnClick>
                {tenant.name}
              </Menu.RadioItem>
            ))}
          </Menu.RadioGroup>
          {found.length === 0 && (
            <Text size="sm" c="dimmed" p="xs">
              No tenant of that name
            </Text>
          )}
        </ScrollArea.Autosize>
      </Menu.Dropdown>
    </Menu>
  );
}
