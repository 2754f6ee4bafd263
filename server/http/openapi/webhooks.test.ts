import { describe, expect, it } from "vitest";
import { BUILT_IN_TYPES } from "#contracts/events.ts";
import { verify } from "#receiver/index.ts";
import { classify } from "#server/domain/outcome.ts";
import { EXAMPLE_EVENT, EXAMPLE_SECRET } from "./delivery-example.ts";
import { testDocument } from "./testing-document.ts";

const { webhooks, components } = testDocument();
const any = webhooks.AnyEvent?.post;

/** The component that a reference leads to. */
function resolve<T>(parts: Record<string, T>, part: object | undefined): T {
  const name = part && "$ref" in part ? String(part.$ref).split("/").at(-1) : undefined;
  const found = parts[name ?? ""];
  if (!found) throw new Error(`${JSON.stringify(part)} is no reference`);
  return found;
}

const headers = Object.fromEntries(
  (any?.parameters ?? []).map((part) => {
    const { name, schema } = resolve(components.parameters, part);
    return [name, String(schema.examples?.[0])];
  }),
);

describe("the webhooks of the document", () => {
  it("are one for each built-in event, and one for any", () => {
    expect(Object.keys(webhooks)).toEqual([...BUILT_IN_TYPES, "AnyEvent"]);
    for (const type of BUILT_IN_TYPES)
      expect(webhooks[type]?.post?.requestBody?.content["application/json"]?.example).toMatchObject({ type });
  });

  it("show headers whose signatures a receiver accepts", () => {
    const media = any?.requestBody?.content["application/json"];
    expect(JSON.stringify(media?.example)).toBe(JSON.stringify(EXAMPLE_EVENT));
    const verified = verify({
      secrets: { v1: EXAMPLE_SECRET },
      headers,
      body: Buffer.from(JSON.stringify(media?.example)),
      now: new Date(EXAMPLE_EVENT.timestamp),
    });
    expect(verified).toMatchObject({
      schemes: ["hex", "standard-webhooks"],
      deliveryId: headers["X-Delivery"],
    });
  });

  it("tell of every header that is sent", () => {
    expect(Object.keys(headers)).toEqual([
      ...["User-Agent", "Accept-Encoding", "X-Delivery", "X-Event", "X-Attempt", "X-Signature"],
      ...["X-Signature-Key-Id", "X-Signature-Timestamp", "webhook-id", "webhook-timestamp"],
      ...["webhook-signature", "traceparent"],
    ]);
    expect(headers["User-Agent"]).toBe("Posthorn/1.2.3");
  });

  it("say of each answer what the table of outcomes says", () => {
    const { responses = {} } = any ?? {};
    const said = (status: number) =>
      resolve(
        components.responses,
        responses[status] ?? responses[`${Math.floor(status / 100)}XX`] ?? responses.default,
      );
    for (let status = 200; status <= 599; status++) {
      const { row } = classify({ kind: "response", status });
      expect(said(status).description, String(status)).toContain(row.why);
      expect(said(status).headers !== undefined, String(status)).toBe(row.honoursRetryAfter === true);
    }
  });
});
