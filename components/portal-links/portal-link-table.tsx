"use client";

import type { ReactNode } from "react";
import { ACCESS_WORDS, accessInWords } from "#client/portal.ts";
import type { PortalLink } from "#contracts/portal-links.ts";
import { type Column, DataTable } from "../data-table.tsx";
import { GuardedButton } from "../guarded-button.tsx";
import { StatusMark, type Tone } from "../status.tsx";
import { Ago, Until } from "../time.tsx";
import classes from "./portal-links.module.css";

const LINK_STATE: Record<PortalLink["state"], { label: string; tone: Tone }> = {
  active: { label: "Active", tone: "good" },
  expired: { label: "Expired", tone: "idle" },
  revoked: { label: "Revoked", tone: "idle" },
};

interface PortalLinkTableProps {
  rows: readonly PortalLink[];
  isLoading: boolean;
  /** Why nobody of this role may revoke; `null` when they may. */
  refusal: string | null;
  onRevoke: (link: PortalLink) => void;
}

/** The links, newest first; never a link itself. */
export function PortalLinkTable({ rows, isLoading, refusal, onRevoke }: PortalLinkTableProps) {
  const columns: [Column<PortalLink>, ...Column<PortalLink>[]] = [
    {
      name: "For",
      cell: (link) => (
        <>
          <strong title={link.name}>{link.name}</strong>
          <span className={classes.under}>
            {accessInWords(link.access)}, <End link={link} />
          </span>
        </>
      ),
    },
    { name: "State", width: "6.5rem", cell: ({ state }) => <StatusMark {...LINK_STATE[state]} /> },
    { name: "Access", hide: "narrow", cell: ({ access }) => <Access access={access} /> },
    { name: "Ends", width: "6.5rem", hide: "narrow", cell: (link) => <End link={link} /> },
    {
      name: "Last used",
      width: "6.5rem",
      hide: "medium",
      cell: ({ last_used_at: at }) => (at ? <Ago at={at} /> : <Aside>never</Aside>),
    },
    {
      name: "Made by",
      hide: "medium",
      cell: ({ created_by: by, created_at: at }) => (
        <span title={by}>
          {by}
          <Aside>
            , <Ago at={at} />
          </Aside>
        </span>
      ),
    },
    {
      name: "Revoke",
      width: "5.5rem",
      align: "right",
      cell: (link) => (
        <GuardedButton
          size="compact-xs"
          variant="default"
          aria-label={`Revoke the link for ${link.name}`}
          refusal={link.state === "active" ? refusal : `It is ${link.state}.`}
          onClick={() => onRevoke(link)}
        >
          Revoke
        </GuardedButton>
      ),
    },
  ];
  return (
    <DataTable
      caption="Links to the consumer portal, newest first."
      columns={columns}
      rows={rows}
      keyOf={({ id }) => id}
      isLoading={isLoading}
      skeletonRows={6}
    />
  );
}

function Access({ access }: Pick<PortalLink, "access">) {
  const words = access.map((each) => ACCESS_WORDS[each].allows).join("\n");
  return <span title={words || "Nothing but looking"}>{accessInWords(access)}</span>;
}

function End({ link: { state, expires_at: at, revoked_at: revoked } }: { link: PortalLink }) {
  if (state === "revoked" && revoked) return <Ago at={revoked} />;
  return state === "expired" ? <Ago at={at} /> : <Until at={at} />;
}

const Aside = ({ children }: { children: ReactNode }) => <span className={classes.aside}>{children}</span>;
