import type { oas31 } from "zod-openapi";
import type { Operation, ReturnPreference } from "#contracts/operation.ts";
import { TENANT_HEADER } from "#contracts/tenants.ts";
import { takesIfMatch } from "../precondition.ts";
import { staffNameTenant, takesApiKey } from "./access.ts";

const tenant: oas31.ParameterObject = {
  in: "header",
  name: TENANT_HEADER,
  description:
    "The tenant that staff act on; they must name one. An API key is bound to its own, whatever this says.",
  schema: { type: "string", examples: ["ten_01991f6e-4c2a-7cc3-9d0e-2f7a6b1c5d84"] },
};

const idempotencyKey: oas31.ParameterObject = {
  in: "header",
  name: "Idempotency-Key",
  description:
    "Makes the call happen once: for 7 days a request with the same key and the same content gets the first answer again. 1 to 255 visible ASCII characters, quoted or bare.",
  schema: {
    type: "string",
    minLength: 1,
    maxLength: 257,
    examples: ["8e03978e-40d5-43dd-bc93-6894a57f9324"],
  },
};

const ifMatch: oas31.ParameterObject = {
  in: "header",
  name: "If-Match",
  description: "The quoted version that the change is meant for, from the ETag of a read.",
  schema: { type: "string", examples: ['"1"'] },
};

const ifNoneMatch: oas31.ParameterObject = {
  in: "header",
  name: "If-None-Match",
  description: "The quoted version that is known already: 304 while it is the current one.",
  schema: { type: "string", examples: ['"1"'] },
};

const prefer = (what: ReturnPreference | undefined): oas31.ParameterObject => ({
  in: "header",
  name: "Prefer",
  description:
    "`return=minimal` for an answer without a body, `return=representation` for one with it (RFC 7240). Anything else is passed over.",
  schema: { type: "string", examples: [`return=${what}`] },
});

/** The request headers that a call looks at, beyond those of authentication and of the body. */
export function headerParameters(operation: Operation): oas31.ParameterObject[] {
  const { method, versioned } = operation;
  const given: [boolean, oas31.ParameterObject, required: boolean][] = [
    [staffNameTenant(operation), tenant, !takesApiKey(operation)],
    [method === "POST", idempotencyKey, operation.idempotencyKey === "required"],
    [takesIfMatch(operation), ifMatch, operation.ifMatch === "required"],
    [method === "GET" && versioned === true, ifNoneMatch, false],
    [operation.prefer !== undefined, prefer(operation.prefer), false],
  ];
  return given.flatMap(([applies, parameter, required]) => (applies ? [{ ...parameter, required }] : []));
}
