import * as z from "zod";
import { operation } from "./operation.ts";

const Setting = z
  .object({
    name: z.string().meta({ example: "RETENTION_DAYS" }),
    value: z
      .string()
      .nullable()
      .describe("As it holds; null when there is none, or when it would show a secret.")
      .meta({ example: "30" }),
    source: z.enum(["environment", "default"]).meta({ example: "default" }),
    secret: z.boolean().describe("Whether the value is kept back."),
    meaning: z.string().meta({ example: "Days for which events, deliveries and attempts are kept." }),
    default: z.string().nullable().meta({ example: "30" }),
  })
  .meta({ id: "Setting" });
export type Setting = z.infer<typeof Setting>;

export const InstallationSettings = z
  .object({
    version: z.string().meta({ example: "0.5.0" }),
    node_version: z.string().meta({ example: "24.1.0" }),
    origin: z
      .string()
      .describe("Under which the console and the API are reached.")
      .meta({ example: "https://posthorn.example" }),
    root_keys: z
      .array(z.string())
      .describe("Ids of the root keys, newest first; never a key.")
      .meta({ example: ["k1"] }),
    settings: z.array(Setting),
  })
  .meta({ id: "InstallationSettings" });
export type InstallationSettings = z.infer<typeof InstallationSettings>;

const HealthCheck = z
  .object({
    check: z.string().meta({ example: "workers" }),
    level: z.enum(["ok", "warn", "fail"]).meta({ example: "ok" }),
    text: z.string().describe("What was found.").meta({ example: "2 alive" }),
    advice: z
      .string()
      .nullable()
      .describe("What to do about it; null when all is well.")
      .meta({ example: null }),
  })
  .meta({ id: "HealthCheck" });
export type HealthCheck = z.infer<typeof HealthCheck>;

const Health = z.object({ checks: z.array(HealthCheck) }).meta({ id: "InstallationHealth" });

const common = { tag: "Settings", scope: "settings:read", tenant: "none" } as const;

export const getSettings = operation({
  ...common,
  id: "getSettings",
  method: "GET",
  path: "/settings",
  summary: "Read what the installation runs with (staff)",
  description: "As the web process that answers has it. Secrets are never shown.",
  response: InstallationSettings,
  status: 200,
});

export const getHealth = operation({
  ...common,
  id: "getHealth",
  method: "GET",
  path: "/settings/health",
  summary: "Read how the parts of the installation are (staff)",
  response: Health,
  status: 200,
});
