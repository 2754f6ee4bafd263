import type { Command } from "commander";
import { toId } from "#contracts/ids.ts";
import type { Tenant } from "#contracts/tenants.ts";
import type { Conn, Db } from "#db/client.ts";
import { findTenant as findTenantRow, type TenantRates } from "#db/queries/tenants.ts";
import { createTenant } from "#server/tenants/create-tenant.ts";
import { listTenants } from "#server/tenants/list-tenants.ts";
import { setRates } from "#server/tenants/set-rates.ts";
import { setRetention } from "#server/tenants/set-retention.ts";
import { toTenant } from "#server/tenants/to-tenant.ts";
import { daysArgument, nameArgument, rateArgument, tenantArgument } from "./arguments.ts";
import { change, withDatabase } from "./database.ts";
import { InputError } from "./input-error.ts";
import { printList, printMade } from "./print.ts";

/** `tenants list|create|limits|retention`. */
export function addTenants(program: Command): void {
  const group = program
    .command("tenants")
    .description("tenants: whose events, endpoints and keys are kept apart");
  group
    .command("list")
    .description("list tenants, newest first")
    .option("--json", "print JSON")
    .action(async ({ json }: { json?: boolean }) => {
      const tenants = await withDatabase(allTenants);
      const shown = tenants.map(({ id, name, created_at }) => ({ id, name, created_at }));
      printList(shown, { json, none: "There are no tenants yet." });
    });
  group
    .command("create")
    .description("make a tenant; prints its id")
    .argument("<name>", "what people call it", nameArgument)
    .action(create);
  group
    .command("limits")
    .description(
      "show a tenant's limits per second, or set its own; 0 is no limit, default that of the settings",
    )
    .argument("<tenant>", "id of the tenant", tenantArgument)
    .option("--requests <rate>", "requests of each of its keys, publishing aside", rateArgument)
    .option("--events <rate>", "events that it publishes", rateArgument)
    .action(limits);
  group
    .command("retention")
    .description("show for how many days a tenant's events, deliveries and attempts are kept, or set it")
    .argument("<tenant>", "id of the tenant", tenantArgument)
    .option("--days <days>", "a number of days of its own, or default for that of the settings", daysArgument)
    .action(retention);
}

async function retention(tenantId: string, { days }: { days?: number | "default" }): Promise<void> {
  const held = await change(async (tx, note) => {
    await requireTenant(tx, tenantId);
    const wanted = days === "default" ? null : days;
    return setRetention(tx, (entry) => note(tenantId, entry), { tenantId, days: wanted });
  });
  printList([{ days: held ?? "default" }], { none: "" });
  if (days !== undefined)
    console.error("It holds from the next run on; `partitions drop --dry-run` tells what that removes.");
}

type RateOptions = { requests?: number | "default"; events?: number | "default" };

async function limits(tenantId: string, options: RateOptions): Promise<void> {
  const named = Object.entries(options).map(([name, rate]) => [name, rate === "default" ? null : rate]);
  const rates: Partial<TenantRates> = Object.fromEntries(named);
  const held = await change(async (tx, note) => {
    await requireTenant(tx, tenantId);
    return setRates(tx, (entry) => note(tenantId, entry), { tenantId, rates });
  });
  const { requests, events } = held;
  printList([{ requests: requests ?? "default", events: events ?? "default" }], { none: "" });
}

async function create(name: string): Promise<void> {
  const id = await change(async (tx, note, now) => {
    const made = await createTenant(tx, { name, now });
    const target = toId("tenant", made.id);
    await note(made.id, { action: "tenant.create", target, after: { name } });
    return target;
  });
  printMade(id, `Made the tenant. A key for it: npm run posthorn -- keys create ${id} --name <name>`);
}

const PAGE = 500;

async function allTenants(db: Db): Promise<Tenant[]> {
  const tenants: Tenant[] = [];
  let from: string[] | null = null;
  for (;;) {
    const page: Awaited<ReturnType<typeof listTenants>> = await listTenants(db, {
      limit: PAGE,
      from,
      backward: false,
    });
    tenants.push(...page.items.map(toTenant));
    if (!page.next) return tenants;
    from = [page.next.createdPosition, page.next.id];
  }
}

/** Refuses a tenant that does not exist. */
export async function requireTenant(conn: Conn, id: string): Promise<void> {
  if (!(await findTenantRow(conn, id)))
    throw new InputError(`There is no tenant ${toId("tenant", id)}; \`tenants list\` shows all.`);
}
