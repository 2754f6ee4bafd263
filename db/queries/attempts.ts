import { uuidFloor, uuidTimeMs } from "#contracts/ids.ts";
import type { Conn } from "../client.ts";
import type { PageQuery } from "./paging.ts";

export interface AttemptRow extends Record<string, unknown> {
  id: string;
  number: number;
  trigger: string;
  startedAt: Date;
  durationMs: number | null;
  outcome: string;
  errorCode: string | null;
  url: string;
  requestHeaders: string | null;
  responseStatus: number | null;
  responseHeaders: string | null;
  responseBody: Buffer | null;
  responseTruncated: boolean;
  dnsMs: number | null;
  connectMs: number | null;
  tlsMs: number | null;
  firstByteMs: number | null;
  remoteAddress: string | null;
  nextAttemptAt: Date | null;
}

// Clocks of two processes may differ a little: an attempt may seem older than its delivery.
const SKEW_MS = 60_000;

/** A page of the attempts of a delivery and one row more: after a number, or, backward, before it, nearest first. */
export function listAttempts(
  conn: Conn,
  of: { tenantId: string; deliveryId: string },
  page: PageQuery,
): Promise<AttemptRow[]> {
  const [comparison, direction] = page.backward ? ["<", "desc"] : [">", "asc"];
  // The bound on the id leaves out the partitions of days before the delivery was made.
  return conn.query<AttemptRow>(
    `select id, number, trigger, started_at as "startedAt", duration_ms as "durationMs", outcome,
            error_code as "errorCode", url, request_headers as "requestHeaders", response_status as "responseStatus",
            response_headers as "responseHeaders", response_body as "responseBody",
            response_truncated as "responseTruncated", dns_ms as "dnsMs", connect_ms as "connectMs", tls_ms as "tlsMs",
            first_byte_ms as "firstByteMs", remote_address as "remoteAddress", next_attempt_at as "nextAttemptAt"
       from attempts
      where tenant_id = $1 and delivery_id = $2 and id >= $3 and ($4::int is null or number ${comparison} $4)
      order by number ${direction} limit $5`,
    [
      of.tenantId,
      of.deliveryId,
      uuidFloor(uuidTimeMs(of.deliveryId) - SKEW_MS),
      page.from?.[0] ?? null,
      page.limit + 1,
    ],
  );
}
