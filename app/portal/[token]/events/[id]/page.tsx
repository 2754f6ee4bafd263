import type { Metadata } from "next";
import { EventPage } from "#components/event/event-page.tsx";

export const metadata: Metadata = { title: "Event" };

export default function OneEventPage() {
  return <EventPage />;
}
