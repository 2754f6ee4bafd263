import { useMutation, useQuery } from "@tanstack/react-query";
import { uuidv7 } from "uuidv7";
import { attemptsQuery, deliveryQuery } from "./deliveries.ts";
import { isMoving } from "./delivery-rows.ts";
import { sendTest } from "./endpoint.ts";

const EVERY_MS = 700;

/** Sends a test event and follows its delivery to the first result. */
export function useTestEvent(tenantId: string, endpointId: string) {
  const sending = useMutation({
    mutationFn: (type: string) => sendTest(tenantId, endpointId, type, uuidv7()),
  });
  const id = sending.data?.id ?? "";
  const delivery = useQuery({
    ...deliveryQuery(tenantId, id),
    enabled: id !== "",
    refetchInterval: ({ state }) =>
      state.data && (state.data.attempts > 0 || !isMoving(state.data)) ? false : EVERY_MS,
  });
  const attempts = useQuery(attemptsQuery(tenantId, id, delivery.data));
  return {
    send: (type: string) => sending.mutate(type),
    isSending: sending.isPending,
    error: sending.error ?? delivery.error,
    /** Of what was sent; absent before. */
    deliveryId: sending.data?.id,
    result: attempts.data?.at(-1) ?? null,
  };
}
