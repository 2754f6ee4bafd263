import type { Metadata } from "next";
import { EventTypeList } from "#components/event-types/event-type-list.tsx";

export const metadata: Metadata = { title: "Event types" };

export default function EventTypesPage() {
  return <EventTypeList />;
}
