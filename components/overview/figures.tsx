"use client";

import Link from "next/link";
import type { ReactNode } from "react";
import { milliseconds, shortSpan } from "#client/format.ts";
import { percent, perMinute, RANGES, type Range } from "#client/tenant-stats.ts";
import { useNow } from "#client/use-now.ts";
import type { TenantStats } from "#contracts/tenant-stats.ts";
import { useWorkspace } from "../workspace-context.tsx";
import classes from "./overview.module.css";

/** The numbers of a range, each a link to the list it sums up. */
export function Figures({ stats, range }: { stats: TenantStats; range: Range }) {
  const { href } = useWorkspace();
  const { totals, oldest_due: oldest } = stats;
  const { long, ms } = RANGES[range];
  const list = (query: string) => href(`/deliveries?${query}window=${range}`);
  const latency = (value: number | null) => (value === null ? "–" : milliseconds(value));
  return (
    <dl className={classes.figures}>
      <Figure
        name="Delivered per minute"
        href={list("status=delivered&")}
        note={`${totals.succeeded.toLocaleString("en")} attempts accepted in ${long}`}
      >
        {perMinute(totals.succeeded, ms)}
      </Figure>
      <Figure
        name="Failed attempts per minute"
        href={list("status=failed,pending&")}
        note={`${totals.failed.toLocaleString("en")} attempts failed; most are retried`}
        tone={totals.failed > 0 ? "bad" : undefined}
      >
        {perMinute(totals.failed, ms)}
      </Figure>
      <Figure
        name="Success rate"
        href={list("")}
        note={`of ${totals.attempts.toLocaleString("en")} attempts`}
      >
        {percent(totals.success_rate)}
      </Figure>
      <Figure
        name="Latency, half within"
        href={list("status=delivered&")}
        note={`95 % within ${latency(totals.latency_p95_ms)}, 99 % within ${latency(totals.latency_p99_ms)}`}
      >
        {latency(totals.latency_p50_ms)}
      </Figure>
      <OldestDue oldest={oldest} />
    </dl>
  );
}

function OldestDue({ oldest }: { oldest: TenantStats["oldest_due"] }) {
  const { href } = useWorkspace();
  const nowMs = useNow();
  if (!oldest)
    return (
      <Figure name="Oldest due delivery" href={href("/deliveries?status=pending")} note="Nothing is overdue">
        None
      </Figure>
    );
  const lateMs = nowMs - Date.parse(oldest.due_at);
  return (
    <Figure
      name="Oldest due delivery"
      href={href(`/deliveries/${oldest.delivery_id}`)}
      note="It waits for a worker, or its endpoint takes no more at a time"
      tone={lateMs > 60_000 ? "bad" : undefined}
    >
      {shortSpan(lateMs)}
    </Figure>
  );
}

interface FigureProps {
  name: string;
  href: string;
  note: string;
  tone?: "bad" | undefined;
  children: ReactNode;
}

function Figure({ name, href, note, tone, children }: FigureProps) {
  return (
    <div className={classes.figure}>
      <dt>{name}</dt>
      <dd>
        <Link href={href} prefetch={false} className={classes.number} data-tone={tone}>
          {children}
        </Link>
        <span className={classes.note}>{note}</span>
      </dd>
    </div>
  );
}
