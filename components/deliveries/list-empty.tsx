"use client";

import { Button, Code } from "@mantine/core";
import { EmptyNote } from "../empty-note.tsx";
import { useWorkspace } from "../workspace-context.tsx";

interface ListEmptyProps {
  isFiltered: boolean;
  hasEndpoints: boolean;
  onClear: () => void;
}

/** Why the list is empty: the filters, no endpoint, or nothing has happened yet. */
export function ListEmpty({ isFiltered, hasEndpoints, onClear }: ListEmptyProps) {
  const { isPortal } = useWorkspace();
  if (isFiltered)
    return (
      <EmptyNote
        title="No deliveries match these filters"
        action={
          <Button size="xs" variant="default" onClick={onClear}>
            Clear filters
          </Button>
        }
      >
        Deliveries are kept for 30 days. Widen the filters, or clear them to see all.
      </EmptyNote>
    );
  if (!hasEndpoints)
    return (
      <EmptyNote title="No webhook endpoint yet">
        Deliveries begin once there is somewhere to send events to.{" "}
        {isPortal ? (
          "Register the URL of a receiver under Endpoints."
        ) : (
          <>
            Register a URL with <Code>POST /api/v1/webhook-endpoints</Code>.
          </>
        )}
      </EmptyNote>
    );
  return (
    <EmptyNote title="No deliveries yet">
      One appears here for each endpoint that listens to an event.{" "}
      {isPortal ? (
        "A test event can be sent from the page of an endpoint."
      ) : (
        <>
          Publish an event with <Code>POST /api/v1/events</Code>.
        </>
      )}
    </EmptyNote>
  );
}
