"use client";

import { Stack } from "@mantine/core";
import { useParams } from "next/navigation";
import { DeliveryNav } from "./delivery-nav.tsx";
import { DeliveryView } from "./delivery-view.tsx";

/** The page of one delivery. */
export function DeliveryPage() {
  const { id } = useParams<{ id: string }>();
  return (
    <Stack gap="lg" maw={1480}>
      <DeliveryNav id={id} />
      <DeliveryView id={id} level={1} />
    </Stack>
  );
}
