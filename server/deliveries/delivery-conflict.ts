import type { Tx } from "#db/client.ts";
import { type DeliveryRow, getDelivery } from "#db/queries/deliveries.ts";
import type { Ctx } from "../context.ts";
import { AppError, notFound } from "../errors.ts";
import { toDelivery } from "./to-delivery.ts";

/** `state-conflict` with what the delivery is by now and what can be done with it; `never` is what its state alone does not rule out. */
export async function deliveryConflict(
  tx: Tx,
  ctx: Ctx,
  { id }: Pick<DeliveryRow, "id">,
  detail: (state: string) => string,
  never?: string,
): Promise<AppError> {
  const current = await getDelivery(tx, ctx.tenantId, id);
  if (!current) return notFound();
  const { status, links } = toDelivery(current, ctx.prefix);
  return new AppError("state-conflict", detail(status), {
    members: { state: status, links: links.filter(({ rel }) => rel !== never) },
  });
}
