import { Text } from "@mantine/core";
import { type BulkAction, type BulkPlan, MAX_ONE_BY_ONE, STATES_FOR } from "#client/bulk.ts";
import { partsOfUrl } from "#client/endpoints.ts";
import { counted } from "#client/format.ts";
import { STATUS } from "../status.tsx";
import classes from "./bulk-bar.module.css";

const EFFECT: Record<BulkAction, string> = {
  replay: "sent again: the same bytes under the same delivery ids, with a fresh retry schedule",
  dismiss: "closed as seen to, and sent no more; they can still be replayed",
  cancel: "closed without a further attempt; what is in flight is not called back",
};

/** How many deliveries a plan is of. */
export const countOf = (plan: BulkPlan): number => (plan.kind === "each" ? plan.ids.length : plan.total);

/** What will happen, before it does. */
export function BulkPlanText({ action, plan }: { action: BulkAction; plan: BulkPlan }) {
  const count = countOf(plan);
  const states = STATES_FOR[action].map((status) => STATUS[status].label.toLowerCase()).join(", ");
  if (count === 0)
    return (
      <Text size="sm">
        Nothing to {action}: it is for deliveries that are {states}
        {action === "replay" && ", of endpoints that are not disabled or deleted"}.
      </Text>
    );
  return (
    <>
      <Text size="sm">
        {counted(count, "delivery", "deliveries")} will be {EFFECT[action]}.
      </Text>
      {plan.kind === "each" && plan.skipped > 0 && (
        <Text size="sm">
          {counted(plan.skipped, "selected one is", "selected ones are")} left out: they are not {states}.
        </Text>
      )}
      {plan.kind === "each" && plan.isMore && (
        <Text size="sm">
          These are the newest {MAX_ONE_BY_ONE.toLocaleString("en")} that match; do it again for the rest.
        </Text>
      )}
      {plan.kind === "dismissal" && plan.isMore && (
        <Text size="sm">There are more, and they are closed as well.</Text>
      )}
      {plan.kind === "replays" && <ReplayParts plan={plan} />}
    </>
  );
}

function ReplayParts({ plan }: { plan: Extract<BulkPlan, { kind: "replays" }> }) {
  return (
    <>
      <ul className={classes.parts}>
        {plan.parts.map(({ endpoint, total }) => {
          const { host, path } = partsOfUrl(endpoint.url);
          return (
            <li key={endpoint.id}>
              <span>
                {host}
                {path}
              </span>
              <span>{total.toLocaleString("en")}</span>
            </li>
          );
        })}
      </ul>
      <Text size="xs" c="dimmed">
        One replay for each endpoint, in the background and behind fresh work.
        {plan.disabled > 0 &&
          ` ${counted(plan.disabled, "disabled endpoint is", "disabled endpoints are")} left out.`}
      </Text>
    </>
  );
}
