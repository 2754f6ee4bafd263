import { Anchor } from "@mantine/core";
import type { Metadata } from "next";
import { EmptyNote } from "#components/empty-note.tsx";

export const metadata: Metadata = { title: "Not found" };

export default function NotFoundPage() {
  return (
    <main>
      <EmptyNote
        title="There is no such page"
        level={1}
        action={<Anchor href="/deliveries">Go to the deliveries</Anchor>}
      >
        The address may be mistyped, or the page has moved.
      </EmptyNote>
    </main>
  );
}
