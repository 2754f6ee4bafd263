import { useQueryClient } from "@tanstack/react-query";
import { staffKey, staffMemberQuery } from "#client/staff.ts";
import type { StaffMember } from "#contracts/staff.ts";

/** Shows a member of staff as they are now, and reads the rest of the staff anew. */
export function useStaffChanged(): (member?: StaffMember) => Promise<void> {
  const client = useQueryClient();
  return async (member) => {
    if (member) client.setQueryData(staffMemberQuery(member.id).queryKey, member);
    await client.invalidateQueries({ queryKey: staffKey });
  };
}
