import * as z from "zod";
import { idParameter } from "./ids.ts";
import { operation } from "./operation.ts";
import { pageOf, pageQuery } from "./page.ts";
import { MIN_PASSWORD_LENGTH, StaffSession } from "./staff.ts";

const MAX_PASSWORD_LENGTH = 128;

const Given = z.string().min(1).max(MAX_PASSWORD_LENGTH);

const PasswordChange = z
  .strictObject({
    current_password: Given.meta({ example: "correct horse battery staple" }),
    new_password: z
      .string()
      .min(MIN_PASSWORD_LENGTH)
      .max(MAX_PASSWORD_LENGTH)
      .meta({ example: "a better horse battery staple" }),
  })
  .meta({ id: "PasswordChange" });

const Reauthentication = z
  .strictObject({
    password: Given.meta({ example: "correct horse battery staple" }),
    code: z
      .string()
      .min(1)
      .max(64)
      .optional()
      .describe("Of the authenticator app, or a backup code. Needed when two-factor is on."),
  })
  .meta({ id: "Reauthentication" });

const common = { tag: "Account", scope: "account:manage", tenant: "none" } as const;

export const changePassword = operation({
  ...common,
  id: "changePassword",
  method: "PUT",
  path: "/account/password",
  summary: "Change one’s own password",
  description:
    "All other sessions end, and authenticator app and passkeys stay. A wrong current password is 422, and 429 after ten of them within this session.",
  body: PasswordChange,
  status: 204,
});

export const reauthenticate = operation({
  ...common,
  id: "reauthenticate",
  method: "PUT",
  path: "/account/reauthentication",
  summary: "Give one’s password again",
  description:
    "What answered `reauthentication-required` can be done for ten minutes from then on. A wrong password or code is 422, and 429 after ten of them within this session.",
  body: Reauthentication,
  status: 204,
});

export const listOwnSessions = operation({
  ...common,
  id: "listOwnSessions",
  method: "GET",
  path: "/account/sessions",
  summary: "List one’s own sessions, newest first",
  query: z.strictObject(pageQuery),
  response: pageOf(StaffSession, "OwnSessionPage"),
  status: 200,
});

export const revokeOwnSession = operation({
  ...common,
  id: "revokeOwnSession",
  method: "DELETE",
  path: "/account/sessions/{sessionId}",
  summary: "End one of one’s own sessions",
  params: z.object({ sessionId: idParameter("session") }),
  status: 204,
});
