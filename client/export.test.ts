import { describe, expect, it } from "vitest";
import { csvCell } from "./csv.ts";
import { exportRow, exportText } from "./export.ts";
import { makeDelivery } from "./testing/make.ts";

describe("csvCell", () => {
  it.each(["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1"])("defuses %j", (text) => {
    expect(csvCell(text).replace(/^"/, "")).toMatch(/^'/);
  });

  it("quotes what holds commas, quotes or line breaks", () => {
    expect(csvCell('a "b", c')).toBe('"a ""b"", c"');
    expect(csvCell("a\nb")).toBe('"a\nb"');
  });

  it("leaves numbers, plain text and nothing alone", () => {
    expect([csvCell(-1), csvCell("a.b"), csvCell(null)]).toEqual(["-1", "a.b", ""]);
  });
});

describe("exportText", () => {
  const row = exportRow(makeDelivery({ event_type: "order.paid" }), "https://example.com/x");

  it("writes a line of names and one for each row", () => {
    const lines = exportText([row, row], "csv").split("\r\n");
    expect(lines).toHaveLength(4);
    expect(lines[0]).toMatch(/^id,status,event_type/);
    expect(lines[1]).toContain("order.paid");
    expect(lines[1]).toContain("https://example.com/x");
  });

  it("writes JSON that reads as the same rows, without links", () => {
    expect(JSON.parse(exportText([row], "json"))).toEqual([row]);
    expect(row).not.toHaveProperty("links");
  });
});
