import { useMutation } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { readMatching } from "./deliveries.ts";
import type { Filters } from "./delivery-filters.ts";
import { downloadText } from "./download.ts";
import type { EndpointsById } from "./endpoints.ts";
import { type ExportFormat, type ExportRow, exportRow, exportText, MAX_EXPORTED } from "./export.ts";

const TYPES: Record<ExportFormat, string> = { csv: "text/csv", json: "application/json" };

/** What a file came to hold. */
export interface Exported {
  rows: number;
  /** Whether more match than one file holds. */
  isCut: boolean;
}

/** Reads all that the filters match, page by page, into a file that the browser saves. */
export function useExport(tenantId: string, filters: Filters, endpoints: EndpointsById) {
  const [count, setCount] = useState(0);
  const reading = useRef<AbortController | null>(null);
  const exporting = useMutation({
    mutationFn: async (format: ExportFormat): Promise<Exported> => {
      const controller = new AbortController();
      reading.current = controller;
      setCount(0);
      const rows: ExportRow[] = [];
      for await (const page of readMatching(tenantId, filters, controller.signal)) {
        rows.push(...page.map((row) => exportRow(row, endpoints.get(row.endpoint_id)?.url)));
        setCount(Math.min(rows.length, MAX_EXPORTED));
        if (rows.length > MAX_EXPORTED) break;
      }
      const isCut = rows.length > MAX_EXPORTED;
      const kept = rows.slice(0, MAX_EXPORTED);
      const stamp = new Date().toISOString().slice(0, 19).replaceAll(":", "");
      downloadText(`deliveries-${stamp}.${format}`, exportText(kept, format), TYPES[format]);
      return { rows: kept.length, isCut };
    },
  });
  useEffect(() => () => reading.current?.abort(), []);
  const { reset } = exporting;
  return {
    start: exporting.mutate,
    isReading: exporting.isPending,
    count,
    result: exporting.data,
    error: reading.current?.signal.aborted ? null : exporting.error,
    cancel: () => {
      reading.current?.abort();
      reset();
    },
    close: reset,
  };
}
