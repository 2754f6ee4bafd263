import { queryOptions } from "@tanstack/react-query";
import {
  confirmTwoFactor,
  getSecondFactors,
  patchPasskey,
  removePasskey,
  renewBackupCodes,
  setUpTwoFactor,
  turnOffTwoFactor,
} from "#contracts/second-factors.ts";
import { call } from "./api.ts";

/** What one signs in with oneself beside the password. */
export const secondFactorsQuery = queryOptions({
  queryKey: ["account", "second-factors"],
  queryFn: ({ signal }) => call(getSecondFactors, { signal }),
});

export const beginTwoFactor = () => call(setUpTwoFactor, {});
/** Turns it on; gives the backup codes, this once. */
export const finishTwoFactor = (code: string) => call(confirmTwoFactor, { body: { code } });
export const endTwoFactor = () => call(turnOffTwoFactor, {});
export const makeBackupCodes = () => call(renewBackupCodes, {});
export const renamePasskey = (passkeyId: string, name: string) =>
  call(patchPasskey, { params: { passkeyId }, body: { name } });
export const deletePasskey = (passkeyId: string) => call(removePasskey, { params: { passkeyId } });
