import type { Metadata } from "next";
import { FailureList } from "#components/failures/failure-list.tsx";

export const metadata: Metadata = { title: "Terminal failures" };

export default function FailuresPage() {
  return <FailureList />;
}
