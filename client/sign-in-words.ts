import { ApiProblem } from "#sdk/api-problem.ts";

const BY_CODE: Readonly<Record<string, string>> = {
  ACCOUNT_DISABLED: "This account is disabled. Ask an admin.",
  INVALID_ORIGIN:
    "This address is not the one that the console is set up for. Open it under the address it was started with.",
  WRONG_CODE: "That code is wrong, or was used before. Wait for the next one, and check the device’s clock.",
  SIGN_IN_OVER: "That took too long, or too many codes were wrong. Give your password again.",
  PASSKEY_NOT_FOUND: "The console does not know this passkey: it was removed, or is of another installation.",
  AUTHENTICATION_FAILED: "This passkey was not taken. Try again, or sign in with your password.",
  CHALLENGE_NOT_FOUND: "That took too long. Try again.",
  NOT_VERIFIED: "The device did not check who uses it. Set a PIN or a fingerprint on it, then try again.",
  OTHER_PERSON: "This passkey is somebody else’s. Sign out first, or pick one of yours.",
  LINK_NEEDED: "Your password was reset. Open the link that you were given first.",
  TOO_MANY_PASSKEYS: "You have as many passkeys as one can have. Remove one first.",
};

// What browsers say of a passkey (WebAuthn §5.1.3, §5.1.4).
const BY_NAME: Readonly<Record<string, string>> = {
  NotAllowedError: "No passkey was used: it was cancelled, or took too long. Nothing has changed.",
  AbortError: "No passkey was used: it was cancelled, or took too long. Nothing has changed.",
  InvalidStateError: "This device has a passkey of yours already.",
  SecurityError: "The browser does not use passkeys under this address. Open the console under its own name.",
};

/** Whether a sign-in that waited for a code waits no more. */
export const isSignInOver = (error: unknown): boolean =>
  error instanceof ApiProblem && error.code === "SIGN_IN_OVER";

/** Why somebody was not let in, in words that help. */
export function signInWords(error: Error): string {
  const named = error instanceof DOMException ? BY_NAME[error.name] : undefined;
  if (named) return named;
  if (!(error instanceof ApiProblem)) return "Something went wrong on this page. Reload it and try again.";
  if (error.status === 429) {
    const wait = error.retryAfterMs === null ? "a minute" : `${Math.ceil(error.retryAfterMs / 1000)} seconds`;
    return `Too many tries from your address. Wait ${wait}, then try again.`;
  }
  const coded = error.code === null ? undefined : BY_CODE[error.code];
  if (coded) return coded;
  if (error.status === 401)
    return "That e-mail and password do not belong together. Check both and try again.";
  return `${error.title}. ${error.detail}`;
}
