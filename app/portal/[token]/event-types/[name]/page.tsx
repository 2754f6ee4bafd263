import type { Metadata } from "next";
import { EventTypePage } from "#components/event-types/event-type-page.tsx";

export const metadata: Metadata = { title: "Event type" };

export default function OneEventTypePage() {
  return <EventTypePage />;
}
