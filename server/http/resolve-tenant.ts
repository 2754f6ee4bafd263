import { fromId } from "#contracts/ids.ts";
import type { Operation } from "#contracts/operation.ts";
import { TENANT_HEADER } from "#contracts/tenants.ts";
import type { Db } from "#db/client.ts";
import { findTenant } from "#db/queries/tenants.ts";
import { INSTALLATION } from "../audit/append-audit.ts";
import { AppError, notFound } from "../errors.ts";
import type { Caller } from "./authenticate.ts";
import type { ApiRequest } from "./message.ts";

/** The tenant a call acts on: the key's own, or the one that staff name in a header. */
export async function resolveTenant(
  db: Db,
  caller: Caller,
  operation: Operation,
  request: ApiRequest,
): Promise<string> {
  if (operation.tenant === "none") return INSTALLATION;
  if (caller.tenantId !== undefined) return caller.tenantId;
  const id = fromId("tenant", request.header(TENANT_HEADER) ?? "");
  if (id === undefined)
    throw new AppError("invalid-parameter", `Name the tenant in the header ${TENANT_HEADER}.`);
  if (!(await findTenant(db, id))) throw notFound();
  return id;
}
