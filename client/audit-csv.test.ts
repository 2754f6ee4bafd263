import { expect, it } from "vitest";
import { auditCsv } from "./audit-csv.ts";

const entry = {
  tenant_id: null,
  number: 1,
  at: "2026-11-21T09:30:00.000Z",
  actor: "admin@example.com",
  role: "admin",
  action: "staff.invite",
  target: "kim@example.com",
  before: null,
  after: { name: 'Kim "K" Lee', role: "support" },
  request_id: "r",
  hash: "00",
};

it("writes one line an entry, quoted where it must be", () => {
  expect(auditCsv([entry]).split("\r\n")).toEqual([
    "at,actor,role,tenant_id,action,target,before,after,request_id,number,hash",
    '2026-11-21T09:30:00.000Z,admin@example.com,admin,,staff.invite,kim@example.com,,"{""name"":""Kim \\""K\\"" Lee"",""role"":""support""}",r,1,00',
    "",
  ]);
});

it.each(["=1+1", "+1", "-1", "@SUM(A1)"])("gives a spreadsheet nothing to compute: %j", (target) => {
  expect(auditCsv([{ ...entry, target }])).toContain(`,'${target},`);
});

it("keeps line breaks inside their cell", () => {
  expect(auditCsv([{ ...entry, target: "a\nb" }])).toContain(',"a\nb",');
});
