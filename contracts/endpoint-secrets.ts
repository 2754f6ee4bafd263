import * as z from "zod";
import { ChosenSecret, EndpointParams } from "./endpoints.ts";
import { operation } from "./operation.ts";
import { Timestamp } from "./page.ts";

const SECRET_STATES = ["current", "overlapping", "expired", "revoked"] as const;
const SecretState = z
  .enum(SECRET_STATES)
  .describe(
    "`current`: signs `X-Signature`, and `webhook-signature` too; `overlapping`: still signs `webhook-signature`.",
  )
  .meta({ id: "SecretState" });
export type SecretState = z.infer<typeof SecretState>;

export const MAX_VALID_SECRETS = 5;

const EndpointSecret = z
  .object({
    kid: z.string().describe("Named by `X-Signature-Key-Id`.").meta({ example: "v2" }),
    state: SecretState,
    created_at: Timestamp,
    expires_at: Timestamp.nullable(),
    revoked_at: Timestamp.nullable(),
  })
  .meta({ id: "EndpointSecret" });
export type EndpointSecret = z.infer<typeof EndpointSecret>;

const RotatedSecret = EndpointSecret.extend({
  secret: z
    .string()
    .describe("The signing secret. It is shown this once and never again.")
    .meta({ example: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw" }),
}).meta({ id: "RotatedSecret" });
export type RotatedSecret = z.infer<typeof RotatedSecret>;

const SecretRotation = z
  .strictObject({
    overlap_seconds: z
      .int()
      .min(0)
      .max(604_800)
      .default(86_400)
      .describe("How long the key that was current until now stays valid."),
    secret: ChosenSecret,
  })
  .meta({ id: "SecretRotation" });
export type SecretRotation = z.infer<typeof SecretRotation>;

const common = { tag: "Webhook endpoints" } as const;

export const rotateSecret = operation({
  ...common,
  id: "rotateWebhookEndpointSecret",
  recentSignIn: true,
  method: "POST",
  path: "/webhook-endpoints/{id}/secret-rotations",
  summary: "Make a new signing secret",
  description: `The new key signs from now on; in the overlap \`webhook-signature\` carries an entry of each valid key. At most ${MAX_VALID_SECRETS} keys are valid at a time: beyond that 409 until one expires or is revoked.`,
  scope: "secrets:rotate",
  params: EndpointParams,
  body: SecretRotation,
  bodyOptional: true,
  response: RotatedSecret,
  status: 201,
  showsSecret: true,
  problems: ["state-conflict"],
});

export const listSecrets = operation({
  ...common,
  id: "listWebhookEndpointSecrets",
  method: "GET",
  path: "/webhook-endpoints/{id}/secrets",
  summary: "List the signing secrets of a webhook endpoint, newest first",
  description: "Which there are and until when they are valid; never a value.",
  scope: "webhooks:read",
  params: EndpointParams,
  response: z.object({ items: z.array(EndpointSecret) }).meta({ id: "EndpointSecrets" }),
  status: 200,
});

export const revokeSecret = operation({
  ...common,
  id: "revokeWebhookEndpointSecret",
  method: "DELETE",
  path: "/webhook-endpoints/{id}/secrets/{kid}",
  summary: "Revoke a signing secret now",
  description:
    "It signs nothing any more. A repeat is 204 too. The current key cannot be revoked (409): rotate first, with `overlap_seconds` 0 where it must end at once.",
  scope: "secrets:rotate",
  params: EndpointParams.extend({ kid: z.string().meta({ example: "v1" }) }),
  status: 204,
  problems: ["state-conflict"],
});
