import * as z from "zod";
import { idParameter, idSchema } from "./ids.ts";
import { operation } from "./operation.ts";
import { pageOf, pageQuery, Timestamp } from "./page.ts";
import { ROLES } from "./scopes.ts";
import { storableText } from "./text.ts";

/** The shortest password that staff can have. */
export const MIN_PASSWORD_LENGTH = 12;
/** For how long a sign-in link can be used, once. */
export const LINK_HOURS = 72;

const STAFF_STATES = ["invited", "active", "disabled"] as const;

const Email = z
  .email()
  .max(254)
  .transform((text) => text.toLowerCase())
  .describe("What to sign in with, in whatever case.")
  .meta({ type: "string", format: "email", example: "kim@example.com" });
const Name = storableText()
  .min(1)
  .max(100)
  .refine((text) => text.trim() !== "", "must not be blank")
  .meta({ example: "Kim Lee" });
const RoleName = z.enum(ROLES).meta({ id: "Role", example: "support" });

export const StaffMember = z
  .object({
    id: idSchema("staff"),
    email: z.string().meta({ example: "kim@example.com" }),
    name: z.string().meta({ example: "Kim Lee" }),
    role: RoleName,
    state: z
      .enum(STAFF_STATES)
      .describe("`invited`: has no password yet, or none any more after a reset.")
      .meta({ example: "active" }),
    sessions: z.int().describe("How many sessions there are at this moment.").meta({ example: 1 }),
    two_factor: z
      .boolean()
      .describe("Whether the password needs a code of an authenticator app beside it.")
      .meta({ example: true }),
    passkeys: z.int().describe("How many passkeys there are.").meta({ example: 0 }),
    link_expires_at: Timestamp.nullable().describe("Until when the sign-in link that is out can be used."),
    created_at: Timestamp,
  })
  .meta({ id: "StaffMember" });
export type StaffMember = z.infer<typeof StaffMember>;

const InvitedStaffMember = StaffMember.extend({
  sign_in_link: z
    .string()
    .describe(
      `Leads to a page where its holder sets a password: once, within ${LINK_HOURS} hours. It is shown this once.`,
    )
    .meta({
      example: "https://posthorn.example/invitation#token=4Qm2v8Xo1sKd7Rf3Tn6Yb9Wc&email=kim%40example.com",
    }),
}).meta({ id: "InvitedStaffMember" });
export type InvitedStaffMember = z.infer<typeof InvitedStaffMember>;

const NewStaffMember = z
  .strictObject({ email: Email, name: Name, role: RoleName })
  .meta({ id: "NewStaffMember" });

const StaffPatch = z
  .strictObject({ name: Name.optional(), role: RoleName.optional() })
  .meta({ id: "StaffPatch" });

export const StaffSession = z
  .object({
    id: idSchema("session"),
    current: z.boolean().describe("Whether it is the one that asks."),
    address: z.string().nullable().describe("From where it was begun.").meta({ example: "203.0.113.7" }),
    user_agent: z.string().nullable().meta({ example: "Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0" }),
    created_at: Timestamp,
    expires_at: Timestamp,
  })
  .meta({ id: "StaffSession" });
export type StaffSession = z.infer<typeof StaffSession>;

const common = { tag: "Staff", scope: "staff:manage", tenant: "none" } as const;
const params = z.object({ id: idParameter("staff") });

export const listStaff = operation({
  ...common,
  id: "listStaff",
  method: "GET",
  path: "/staff",
  summary: "List the staff, newest first",
  query: z.strictObject(pageQuery),
  response: pageOf(StaffMember, "StaffPage"),
  status: 200,
});

export const inviteStaff = operation({
  ...common,
  id: "inviteStaff",
  recentSignIn: true,
  method: "POST",
  path: "/staff",
  summary: "Invite somebody",
  description:
    "Hand the link over by a channel that only this person reads. Refused (409) when the e-mail is taken.",
  body: NewStaffMember,
  response: InvitedStaffMember,
  status: 201,
  showsSecret: true,
  problems: ["state-conflict"],
});

export const getStaff = operation({
  ...common,
  id: "getStaff",
  method: "GET",
  path: "/staff/{id}",
  summary: "Read one member of staff",
  params,
  response: StaffMember,
  status: 200,
});

export const patchStaff = operation({
  ...common,
  id: "patchStaff",
  recentSignIn: true,
  method: "PATCH",
  path: "/staff/{id}",
  summary: "Change name or role",
  description:
    "A role holds for each request from now on, in sessions that run too. Nobody changes their own role (403), and the last admin stays one (409).",
  params,
  body: StaffPatch,
  response: StaffMember,
  status: 200,
  problems: ["state-conflict"],
});

export const disableStaff = operation({
  ...common,
  id: "disableStaff",
  recentSignIn: true,
  method: "POST",
  path: "/staff/{id}/disable",
  summary: "Keep somebody out",
  description:
    "Ends all sessions at once, and the sign-in link that is out. Nobody disables themselves (403), nor the last admin (409).",
  params,
  response: StaffMember,
  status: 200,
  problems: ["state-conflict"],
});

export const enableStaff = operation({
  ...common,
  id: "enableStaff",
  recentSignIn: true,
  method: "POST",
  path: "/staff/{id}/enable",
  summary: "Let somebody in again",
  description: "With the password and the role from before.",
  params,
  response: StaffMember,
  status: 200,
});

export const resetStaff = operation({
  ...common,
  id: "resetStaff",
  recentSignIn: true,
  method: "POST",
  path: "/staff/{id}/reset",
  summary: "Give a new sign-in link in place of the password",
  description:
    "The password is gone from now on, all sessions end, and earlier links with them. Authenticator app and passkeys stay. Refused (403) for oneself, and (409) for whoever is disabled.",
  params,
  response: InvitedStaffMember,
  status: 201,
  showsSecret: true,
  problems: ["state-conflict"],
});

export const resetSecondFactors = operation({
  ...common,
  id: "resetSecondFactors",
  recentSignIn: true,
  method: "POST",
  path: "/staff/{id}/reset-second-factors",
  summary: "Forget somebody’s authenticator app, backup codes and passkeys",
  description:
    "For whoever has lost them: from now on the password alone lets in. All sessions end. Refused (403) for oneself.",
  params,
  response: StaffMember,
  status: 200,
});

export const listStaffSessions = operation({
  ...common,
  id: "listStaffSessions",
  method: "GET",
  path: "/staff/{id}/sessions",
  summary: "List somebody’s sessions, newest first",
  params,
  query: z.strictObject(pageQuery),
  response: pageOf(StaffSession, "StaffSessionPage"),
  status: 200,
});

export const revokeStaffSessions = operation({
  ...common,
  id: "revokeStaffSessions",
  method: "DELETE",
  path: "/staff/{id}/sessions",
  summary: "End all of somebody’s sessions",
  params,
  status: 204,
});

export const revokeStaffSession = operation({
  ...common,
  id: "revokeStaffSession",
  method: "DELETE",
  path: "/staff/{id}/sessions/{sessionId}",
  summary: "End one of somebody’s sessions",
  params: params.extend({ sessionId: idParameter("session") }),
  status: 204,
});
