"use client";

import { Group } from "@mantine/core";
import { counted } from "#client/format.ts";
import { SCOPE_WORDS } from "#client/scope-words.ts";
import type { ApiKey } from "#contracts/keys.ts";
import { API_KEY_SCOPES } from "#contracts/scopes.ts";
import { type Column, DataTable } from "../data-table.tsx";
import { GuardedButton } from "../guarded-button.tsx";
import { StatusMark, type Tone } from "../status.tsx";
import { Ago, Until } from "../time.tsx";
import classes from "./api-keys.module.css";

const KEY_STATE: Record<ApiKey["state"], { label: string; tone: Tone }> = {
  active: { label: "Active", tone: "good" },
  expired: { label: "Expired", tone: "idle" },
  revoked: { label: "Revoked", tone: "idle" },
};

interface KeyTableProps {
  rows: readonly ApiKey[];
  isLoading: boolean;
  onChoose: (key: ApiKey, to: "rotate" | "revoke") => void;
}

/** The keys, newest first; never a key itself. */
export function KeyTable({ rows, isLoading, onChoose }: KeyTableProps) {
  const columns: [Column<ApiKey>, ...Column<ApiKey>[]] = [
    {
      name: "Name",
      cell: ({ name, prefix }) => (
        <>
          <strong title={name}>{name}</strong>
          <span className={classes.under}>{prefix}</span>
        </>
      ),
    },
    {
      name: "Begins with",
      width: "14.5rem",
      hide: "narrow",
      cell: ({ prefix }) => <code title={prefix}>{prefix}</code>,
    },
    { name: "State", width: "6.5rem", cell: ({ state }) => <StatusMark {...KEY_STATE[state]} /> },
    { name: "Scopes", hide: "medium", cell: ({ scopes }) => <Scopes scopes={scopes} /> },
    { name: "Created", width: "6rem", hide: "medium", cell: (key) => <Ago at={key.created_at} /> },
    {
      name: "Last used",
      width: "6rem",
      hide: "medium",
      cell: ({ last_used_at: at }) => (at ? <Ago at={at} /> : <Aside>never</Aside>),
    },
    { name: "Ends", width: "6.5rem", hide: "narrow", cell: (key) => <End apiKey={key} /> },
    {
      name: "Actions",
      width: "10rem",
      align: "right",
      cell: (key) => <Actions apiKey={key} onChoose={onChoose} />,
    },
  ];
  return (
    <DataTable
      caption="API keys, newest first."
      columns={columns}
      rows={rows}
      keyOf={({ id }) => id}
      isLoading={isLoading}
      skeletonRows={6}
    />
  );
}

function Actions({ apiKey, onChoose }: { apiKey: ApiKey; onChoose: KeyTableProps["onChoose"] }) {
  const refusal = apiKey.state === "active" ? null : `It is ${apiKey.state}.`;
  const button = { size: "compact-xs", variant: "default", refusal } as const;
  return (
    <Group gap={6} justify="flex-end" wrap="nowrap">
      <GuardedButton
        {...button}
        aria-label={`Rotate ${apiKey.name}`}
        onClick={() => onChoose(apiKey, "rotate")}
      >
        Rotate
      </GuardedButton>
      <GuardedButton
        {...button}
        aria-label={`Revoke ${apiKey.name}`}
        onClick={() => onChoose(apiKey, "revoke")}
      >
        Revoke
      </GuardedButton>
    </Group>
  );
}

function Scopes({ scopes }: Pick<ApiKey, "scopes">) {
  const words = scopes.map((scope) => `${scope}: ${SCOPE_WORDS[scope]}`).join("\n");
  if (scopes.length === API_KEY_SCOPES.length) return <span title={words}>everything</span>;
  const shown = scopes.length > 3 ? counted(scopes.length, "scope") : scopes.join(", ");
  return <span title={words}>{shown}</span>;
}

function End({ apiKey: { state, expires_at: at, revoked_at: revoked } }: { apiKey: ApiKey }) {
  if (state === "revoked" && revoked) return <Ago at={revoked} />;
  if (!at) return <Aside>never</Aside>;
  return state === "expired" ? <Ago at={at} /> : <Until at={at} />;
}

const Aside = ({ children }: { children: string }) => <span className={classes.aside}>{children}</span>;
