import type { Metadata } from "next";
import { ReplayList } from "#components/replays/replay-list.tsx";

export const metadata: Metadata = { title: "Replays" };

export default function ReplaysPage() {
  return <ReplayList />;
}
