import type { StaffMember } from "#contracts/staff.ts";
import { StatusMark, type Tone } from "../status.tsx";

const LOOK: Record<StaffMember["state"], { label: string; tone: Tone }> = {
  invited: { label: "Invited", tone: "wait" },
  active: { label: "Active", tone: "good" },
  disabled: { label: "Disabled", tone: "idle" },
};

export function StaffStateMark({ state }: { state: StaffMember["state"] }) {
  return <StatusMark {...LOOK[state]} />;
}
