import type { Metadata } from "next";
import { StaffList } from "#components/staff/staff-list.tsx";

export const metadata: Metadata = { title: "Staff" };

export default function StaffPage() {
  return <StaffList />;
}
