import * as z from "zod";
import { idSchema } from "./ids.ts";
import { operation } from "./operation.ts";
import { pageOf, pageQuery, TimeParameter, Timestamp } from "./page.ts";
import { storableText } from "./text.ts";

/** In place of a tenant's id: what concerns the installation as a whole, such as its staff. */
export const INSTALLATION_CHAIN = "installation";

const Chain = z
  .string()
  .regex(/^(?:installation|ten_[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})$/)
  .optional()
  .meta({
    description: "A tenant, or `installation` for what concerns none, such as staff. Default: all.",
    example: "ten_01991f6e-4c2a-7cc3-9d0e-2f7a6b1c5d84",
  });

export const AuditEntry = z
  .object({
    tenant_id: idSchema("tenant").nullable().describe("Null: it concerns the whole installation."),
    number: z
      .int()
      .describe("Place in the chain of its tenant, from 1 and without gaps.")
      .meta({ example: 42 }),
    at: Timestamp,
    actor: z
      .string()
      .describe(
        "E-mail of a member of staff, id of an API key or of a link to the portal, `cli` or `system`.",
      )
      .meta({ example: "admin@example.com" }),
    role: z
      .string()
      .describe("Role of a member of staff, else `api_key`, `portal_link`, `cli` or `system`.")
      .meta({ example: "admin" }),
    action: z.string().meta({ example: "staff.create" }),
    target: z.string().describe("What it was done to.").meta({ example: "kim@example.com" }),
    before: z.unknown().meta({ example: null, description: "What it was before, where that matters." }),
    after: z.unknown().meta({ example: { role: "support" }, description: "What it is now." }),
    request_id: z.string().meta({ example: "01991f6e-4c2a-4cc3-9d0e-2f7a6b1c5d84" }),
    hash: z
      .string()
      .describe("SHA-256 over the hash before and all of the above, in hex.")
      .meta({ example: "6f1ed002ab5595859014ebf0951522d9d0e0b0b6c4f0c5f0c2e0a1b2c3d4e5f6" }),
  })
  .meta({ id: "AuditEntry" });
export type AuditEntry = z.infer<typeof AuditEntry>;

export const AuditVerification = z
  .object({
    intact: z
      .boolean()
      .describe("Whether every entry is what was written, and none is missing before another."),
    chains: z.int().meta({ example: 3 }),
    entries: z.int().meta({ example: 120 }),
    broken: z
      .array(
        z.object({
          tenant_id: idSchema("tenant").nullable(),
          number: z.int().describe("The first entry that is not what was written, or is missing."),
        }),
      )
      .meta({ example: [] }),
  })
  .meta({ id: "AuditVerification" });
export type AuditVerification = z.infer<typeof AuditVerification>;

const text = (max: number, description: string, example: string) =>
  storableText().min(1).max(max).optional().meta({ type: "string", description, example });

const common = { tag: "Audit log", scope: "audit:read", tenant: "none" } as const;

export const listAuditEntries = operation({
  ...common,
  id: "listAuditEntries",
  method: "GET",
  path: "/audit-log",
  summary: "List the audit log, newest first (staff)",
  query: z.strictObject({
    ...pageQuery,
    chain: Chain,
    actor: text(320, "Who did it.", "admin@example.com"),
    action: text(
      100,
      "What was done, or the part of it before a dot: `staff` is all of `staff.*`.",
      "staff.create",
    ),
    target: text(320, "What it was done to.", "kim@example.com"),
    from: TimeParameter.optional(),
    to: TimeParameter.optional(),
  }),
  response: pageOf(AuditEntry, "AuditPage"),
  status: 200,
});

export const verifyAuditLog = operation({
  ...common,
  id: "verifyAuditLog",
  method: "GET",
  path: "/audit-log/verification",
  summary: "Verify the chains of the audit log (staff)",
  description:
    "Computes every hash anew. Whether entries are missing at the very end, a chain alone cannot tell: keep the `hash` of its newest entry elsewhere for that.",
  query: z.strictObject({ chain: Chain }),
  response: AuditVerification,
  status: 200,
});
