import type { StoredEvent } from "#client/events.ts";
import type { Column } from "../data-table.tsx";
import { Ago } from "../time.tsx";
import classes from "./event-columns.module.css";

/** The columns of the list of events. Values of the data are left to the event's own page, which has them letter for letter. */
export const EVENT_COLUMNS: readonly [Column<StoredEvent>, ...Column<StoredEvent>[]] = [
  { name: "Event type", cell: ({ type }) => type },
  {
    name: "Event",
    width: "21rem",
    hide: "narrow",
    cell: ({ id }) => <span className={classes.id}>{id}</span>,
  },
  {
    name: "Members of its data",
    hide: "medium",
    cell: ({ data }) => <span className={classes.aside}>{data ? namesOf(data) : "expunged"}</span>,
  },
  {
    name: "Sequence",
    width: "6.5rem",
    align: "right",
    hide: "narrow",
    cell: ({ sequence }) => sequence.toLocaleString("en"),
  },
  { name: "Published", width: "7rem", align: "right", cell: ({ timestamp }) => <Ago at={timestamp} /> },
];

const MAX_NAMES = 12;

function namesOf(data: object): string {
  const names = Object.keys(data);
  if (names.length === 0) return "none";
  return names.slice(0, MAX_NAMES).join(", ") + (names.length > MAX_NAMES ? ", …" : "");
}
