import { describe, expect, it } from "vitest";
import { signedBy, verdictOf } from "./rotation.ts";
import { makeAttempt, makeDelivery } from "./testing/make.ts";

const headers = { "X-Signature-Key-Id": "v2", "webhook-signature": "v1,aaa v1,bbb v1a,ccc" };
const request = { ...makeAttempt().request, headers };
const answered = (status: number) =>
  signedBy(
    makeDelivery(),
    makeAttempt({
      request,
      outcome: status < 300 ? "ok" : "retry",
      response: { status, headers: {}, body: "", body_truncated: false },
    }),
  );

it("reads from the headers which key signed, and how many keys did", () => {
  expect(answered(202)).toMatchObject({ keyId: "v2", signatures: 2, isAccepted: true });
  expect(signedBy(makeDelivery(), makeAttempt({ request: { ...request, headers: {} } }))).toMatchObject({
    keyId: null,
    signatures: 0,
  });
});

describe("the verdict on the receiver since the switch", () => {
  it("waits for the first delivery that the new key signed", () => {
    expect(verdictOf([answered(202)], "v3").tone).toBe("wait");
  });

  it("is good only when all were accepted", () => {
    expect(verdictOf([answered(202), answered(200)], "v2")).toMatchObject({ tone: "good" });
    expect(verdictOf([answered(202), answered(503)], "v2").words).toContain("1 of 2");
  });

  it("tells a receiver that does not know the new key from one that fails otherwise", () => {
    expect(verdictOf([answered(401), answered(503)], "v2").words).toContain("does not know v2");
    expect(verdictOf([answered(503)], "v2").words).toContain("not because of the signature");
  });
});
