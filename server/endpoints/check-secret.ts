import { isSecret } from "../domain/signing.ts";
import { validationError } from "../errors.ts";

/** Throws `validation-error` when a secret that the client chose is none; absent is good. */
export function checkSecret(secret: string | undefined): void {
  if (secret === undefined || isSecret(secret)) return;
  throw validationError([{ detail: "must be whsec_ and the base64 of 24 to 64 bytes", pointer: "#/secret" }]);
}
