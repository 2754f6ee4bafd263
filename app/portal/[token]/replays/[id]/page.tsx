import type { Metadata } from "next";
import { ReplayPage } from "#components/replays/replay-page.tsx";

export const metadata: Metadata = { title: "Replay" };

export default function OneReplayPage() {
  return <ReplayPage />;
}
