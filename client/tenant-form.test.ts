import { describe, expect, it } from "vitest";
import { formOf, NEW_TENANT, rateWords, readTenantForm, tenantChanges } from "./tenant-form.ts";

const tenant = {
  id: "ten_01991f6e-4c2a-7cc3-9d0e-2f7a6b1c5d84",
  name: "Acme",
  retention_days: 7,
  request_rate: null,
  event_rate: 0,
  created_at: "2026-11-21T09:30:00.000Z",
};

describe("the form of a tenant", () => {
  it("comes back as what it was filled with", () => {
    const read = readTenantForm(formOf(tenant));
    expect(read).toEqual({ body: { name: "Acme", retention_days: 7, request_rate: null, event_rate: 0 } });
    expect(tenantChanges(tenant, read.errors ? ({} as never) : read.body)).toEqual({});
  });

  it("names only what changes", () => {
    const body = { name: "Acme", retention_days: null, request_rate: 5, event_rate: 0 };
    expect(tenantChanges(tenant, body)).toEqual({ retention_days: null, request_rate: 5 });
  });

  it.each(["-1", "1.5", "many", "1e3", "1234567890"])("refuses %j for a number", (text) => {
    const { errors } = readTenantForm({ ...NEW_TENANT, name: "x", retention_days: text });
    expect(Object.keys(errors ?? {})).toEqual(["retention_days"]);
  });

  it("needs a name that is not blank", () => {
    expect(readTenantForm({ ...NEW_TENANT, name: "  " }).errors).toHaveProperty("name");
  });
});

it("says limits in words", () => {
  expect([null, 0, 1500].map(rateWords)).toEqual(["default", "no limit", "1,500 / s"]);
});
