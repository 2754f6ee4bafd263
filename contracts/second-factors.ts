import * as z from "zod";
import { idParameter, idSchema } from "./ids.ts";
import { operation } from "./operation.ts";
import { Timestamp } from "./page.ts";
import { storableText } from "./text.ts";

/** How many passkeys somebody can have. */
export const MAX_PASSKEYS = 20;

export const PasskeyName = storableText()
  .min(1)
  .max(100)
  .refine((text) => text.trim() !== "", "must not be blank")
  .meta({ example: "Kim’s phone" });

export const Passkey = z
  .object({
    id: idSchema("passkey"),
    name: z.string().meta({ example: "Kim’s phone" }),
    created_at: Timestamp,
    last_used_at: Timestamp.nullable().describe("When somebody last signed in with it."),
  })
  .meta({ id: "Passkey" });
export type Passkey = z.infer<typeof Passkey>;

const SecondFactors = z
  .object({
    two_factor: z
      .boolean()
      .describe("Whether a password needs a code of an authenticator app beside it.")
      .meta({ example: true }),
    two_factor_since: Timestamp.nullable(),
    backup_codes_left: z.int().describe("0 when two-factor is off.").meta({ example: 10 }),
    passkeys: z.array(Passkey).describe(`Oldest first, ${MAX_PASSKEYS} at most.`),
  })
  .meta({ id: "SecondFactors" });
export type SecondFactors = z.infer<typeof SecondFactors>;

const TwoFactorSetUp = z
  .object({
    secret: z
      .string()
      .describe("What an authenticator app takes over, in base32. It is shown this once.")
      .meta({ example: "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ" }),
    otpauth_uri: z
      .string()
      .describe("The same for an app that reads a QR code or opens a link: SHA-1, six digits, 30 seconds.")
      .meta({
        example:
          "otpauth://totp/Posthorn:kim%40example.com?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=Posthorn",
      }),
  })
  .meta({ id: "TwoFactorSetUp" });
export type TwoFactorSetUp = z.infer<typeof TwoFactorSetUp>;

const TwoFactorCode = z
  .strictObject({
    code: z
      .string()
      .regex(/^\d{6}$/, "must be six digits")
      .meta({ example: "123456" }),
  })
  .meta({ id: "TwoFactorCode" });

const BackupCodes = z
  .object({
    backup_codes: z
      .array(z.string())
      .describe("Each stands in for one code of the app, once. They are shown this once.")
      .meta({ example: ["k3qd-7wxn-p2hf-9mtr"] }),
  })
  .meta({ id: "BackupCodes" });
export type BackupCodes = z.infer<typeof BackupCodes>;

const PasskeyPatch = z.strictObject({ name: PasskeyName }).meta({ id: "PasskeyPatch" });

const common = { tag: "Account", scope: "account:manage", tenant: "none" } as const;
const params = z.object({ passkeyId: idParameter("passkey") });

export const getSecondFactors = operation({
  ...common,
  id: "getSecondFactors",
  method: "GET",
  path: "/account/second-factors",
  summary: "Read what one signs in with beside the password",
  response: SecondFactors,
  status: 200,
});

export const setUpTwoFactor = operation({
  ...common,
  id: "setUpTwoFactor",
  recentSignIn: true,
  method: "POST",
  path: "/account/two-factor",
  summary: "Begin to set up an authenticator app",
  description:
    "Nothing changes until a first code was given. A set-up that was begun before is of no use any more. Refused (409) when two-factor is on.",
  response: TwoFactorSetUp,
  status: 200,
  showsSecret: true,
  problems: ["state-conflict"],
});

export const confirmTwoFactor = operation({
  ...common,
  id: "confirmTwoFactor",
  recentSignIn: true,
  method: "POST",
  path: "/account/two-factor/confirmation",
  summary: "Turn two-factor on with a first code",
  description:
    "From now on a password needs a code beside it. Answers with backup codes. A wrong code is 422; 409 when no set-up was begun, or when two-factor is on.",
  body: TwoFactorCode,
  response: BackupCodes,
  status: 200,
  showsSecret: true,
  problems: ["state-conflict"],
});

export const turnOffTwoFactor = operation({
  ...common,
  id: "turnOffTwoFactor",
  recentSignIn: true,
  method: "DELETE",
  path: "/account/two-factor",
  summary: "Turn two-factor off",
  description: "App and backup codes are forgotten. Passkeys stay.",
  status: 204,
});

export const renewBackupCodes = operation({
  ...common,
  id: "renewBackupCodes",
  recentSignIn: true,
  method: "POST",
  path: "/account/two-factor/backup-codes",
  summary: "Make new backup codes",
  description: "All before are of no use any more. Refused (409) when two-factor is off.",
  response: BackupCodes,
  status: 200,
  showsSecret: true,
  problems: ["state-conflict"],
});

export const patchPasskey = operation({
  ...common,
  id: "patchPasskey",
  method: "PATCH",
  path: "/account/passkeys/{passkeyId}",
  summary: "Rename one of one’s own passkeys",
  params,
  body: PasskeyPatch,
  response: Passkey,
  status: 200,
});

export const removePasskey = operation({
  ...common,
  id: "removePasskey",
  recentSignIn: true,
  method: "DELETE",
  path: "/account/passkeys/{passkeyId}",
  summary: "Remove one of one’s own passkeys",
  params,
  status: 204,
});
