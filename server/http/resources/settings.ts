import { getHealth, getSettings } from "#contracts/settings.ts";
import { examineInstallation } from "#server/diagnosis/examine.ts";
import { installationSettings } from "#server/diagnosis/installation-settings.ts";
import { route } from "../route.ts";

export const settingsRoutes = [
  route(getSettings, { handle: async (ctx) => ({ body: installationSettings(ctx, ctx.origin) }) }),
  route(getHealth, { handle: async (ctx) => ({ body: { checks: await examineInstallation(ctx) } }) }),
];
