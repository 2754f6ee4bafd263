import { listAuditRows } from "#db/queries/audit.ts";
import type { Answer, TestApi } from "../test-support.ts";

/** What its maker calls a link, and nothing else. */
export const KIM = { name: "Kim" };
export const ENDPOINT = { url: "https://example.com/hook", event_types: ["*"] };

/** Status and kind of problem. */
export const slugOf = (answer: Answer) => [answer.status, answer.json?.type?.split("/").at(-1)];
export const tokenOf = ({ url }: { url: string }) => url.split("/").at(-1) ?? "";

/** What tests of portal links do with the API, which is opened only once they run. */
export function portalLinks(api: () => TestApi) {
  return {
    create: (json: object, key = api().tenant.key) => api().call("POST", "/portal-links", { json, key }),
    lastNote: async () => (await listAuditRows(api().services.db, api().tenant.id)).at(-1),
    statusWith: async (token: string) =>
      (await api().call("GET", "/webhook-endpoints", { key: token })).status,
  };
}
