import { Code, Group, Title } from "@mantine/core";
import type { Delivery } from "#contracts/deliveries.ts";
import { CopyIcon } from "../copy-icon.tsx";
import { DeliveryStatusMark } from "../status.tsx";
import classes from "./delivery-title.module.css";

/** The event type and the status of a delivery, with its id. */
export function DeliveryTitle({ delivery, level }: { delivery: Delivery; level: 1 | 2 }) {
  return (
    <div className={classes.title}>
      <Group gap="md" align="center">
        <Title order={level} size="h1" className={classes.type}>
          {delivery.event_type}
        </Title>
        <DeliveryStatusMark status={delivery.status} />
      </Group>
      <Group gap={4} wrap="nowrap">
        <Code className={classes.id}>{delivery.id}</Code>
        <CopyIcon value={delivery.id} what="delivery id" />
      </Group>
    </div>
  );
}
