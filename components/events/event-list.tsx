"use client";

import { Button, Code } from "@mantine/core";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useQueryStates } from "nuqs";
import { WINDOW_NAMES, WINDOWS, type Window } from "#client/delivery-filters.ts";
import { eventTypesQuery } from "#client/event-types.ts";
import { eventFilterParsers, eventsQuery, isEventFiltered, NO_EVENT_FILTERS } from "#client/events.ts";
import { useNewEvents } from "#client/use-new-events.ts";
import { DataTable } from "../data-table.tsx";
import { NewBar } from "../deliveries/new-bar.tsx";
import { EmptyNote } from "../empty-note.tsx";
import { FilterRow } from "../filter-row.tsx";
import { ListPage } from "../list-page.tsx";
import { PageHeader } from "../page-header.tsx";
import { PickMenu } from "../pick-menu.tsx";
import { useWorkspace } from "../workspace-context.tsx";
import { EVENT_COLUMNS } from "./event-columns.tsx";

/** The page of all events of a tenant, newest first. */
export function EventList() {
  const { tenantId, href } = useWorkspace();
  const [filters, set] = useQueryStates(eventFilterParsers, { history: "push" });
  const list = useInfiniteQuery(eventsQuery(tenantId, filters));
  const { data: types } = useQuery(eventTypesQuery(tenantId));
  const fresh = useNewEvents(tenantId, filters, list.isSuccess && !list.isPlaceholderData);
  const clear = () => void set(NO_EVENT_FILTERS);
  return (
    <>
      <PageHeader title="Events">
        Each is one thing that happened, as it was published; it goes to every endpoint that listens.
      </PageHeader>
      <FilterRow name="Filter events" isFiltered={isEventFiltered(filters)} onClear={clear}>
        <PickMenu
          label="Event type"
          options={(types ?? []).map(({ name }) => ({ value: name, label: name, text: name }))}
          picked={filters.type}
          onPick={(type) => void set({ type })}
          searchable
          freeText
        />
        <PickMenu
          label="Time"
          options={WINDOW_OPTIONS}
          picked={filters.window ? [filters.window] : []}
          onPick={([window]) => void set({ window: (window as Window | undefined) ?? null })}
          single
        />
      </FilterRow>
      <NewBar
        count={fresh.count}
        isMore={fresh.isMore}
        onShow={() => void fresh.show()}
        nouns={["event", "events"]}
      />
      <ListPage
        list={list}
        nouns={["event", "events"]}
        empty={<NoEvents isFiltered={isEventFiltered(filters)} onClear={clear} />}
      >
        {(rows, isLoading) => (
          <DataTable
            caption="Events, newest first."
            columns={EVENT_COLUMNS}
            rows={rows}
            keyOf={(event) => event.id}
            hrefOf={(event) => href(`/events/${event.id}`)}
            labelOf={(event) => `${event.type}, event ${event.sequence}`}
            isLoading={isLoading}
            skeletonRows={30}
          />
        )}
      </ListPage>
    </>
  );
}

const WINDOW_OPTIONS = WINDOW_NAMES.map((name) => ({
  value: name,
  label: WINDOWS[name].label,
  text: WINDOWS[name].label,
}));

function NoEvents({ isFiltered, onClear }: { isFiltered: boolean; onClear: () => void }) {
  if (!isFiltered)
    return (
      <EmptyNote title="No events yet">
        An event appears here as soon as it is published, with <Code>POST /api/v1/events</Code>, or when a
        cart or an order changes.
      </EmptyNote>
    );
  return (
    <EmptyNote
      title="No events match these filters"
      action={
        <Button size="xs" variant="default" onClick={onClear}>
          Clear filters
        </Button>
      }
    >
      Events are kept for 30 days unless the tenant has another time. Widen the filters, or clear them.
    </EmptyNote>
  );
}
