import type { Metadata } from "next";
import { NewEventTypePage } from "#components/event-types/new-event-type-page.tsx";

export const metadata: Metadata = { title: "New event type" };

export default function NewEventTypeRoute() {
  return <NewEventTypePage />;
}
