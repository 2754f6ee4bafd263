"use client";

import { revokeRefusal } from "#client/rotation.ts";
import type { EndpointSecret, SecretState } from "#contracts/endpoint-secrets.ts";
import { type Column, DataTable } from "../data-table.tsx";
import { GuardedButton } from "../guarded-button.tsx";
import { StatusMark, type Tone } from "../status.tsx";
import { Ago, Until } from "../time.tsx";
import classes from "./rotation.module.css";

const SECRET_STATE: Record<SecretState, { label: string; tone: Tone }> = {
  current: { label: "Current", tone: "good" },
  overlapping: { label: "Overlapping", tone: "wait" },
  expired: { label: "Expired", tone: "idle" },
  revoked: { label: "Revoked", tone: "idle" },
};

interface SecretListProps {
  secrets: readonly EndpointSecret[] | undefined;
  /** Why nobody of this role may revoke. */
  refusal: string | null;
  onRevoke: (kid: string) => void;
}

/** The secrets of an endpoint, newest first; never a value. */
export function SecretList({ secrets, refusal, onRevoke }: SecretListProps) {
  const columns: [Column<EndpointSecret>, ...Column<EndpointSecret>[]] = [
    { name: "Key", width: "3.5rem", cell: ({ kid }) => <strong>{kid}</strong> },
    { name: "State", cell: ({ state }) => <StatusMark {...SECRET_STATE[state]} /> },
    { name: "Made", width: "5.5rem", cell: (secret) => <Ago at={secret.created_at} /> },
    { name: "Ends", hide: "narrow", cell: (secret) => <End secret={secret} /> },
    {
      name: "Revoke",
      width: "5.5rem",
      align: "right",
      cell: (secret) => (
        <GuardedButton
          size="compact-xs"
          variant="default"
          aria-label={`Revoke ${secret.kid}`}
          refusal={revokeRefusal(secret) ?? refusal}
          onClick={() => onRevoke(secret.kid)}
        >
          Revoke
        </GuardedButton>
      ),
    },
  ];
  return (
    <DataTable
      caption="Signing secrets of this endpoint, newest first."
      columns={columns}
      rows={secrets ?? []}
      keyOf={({ kid }) => kid}
      isLoading={secrets === undefined}
      skeletonRows={2}
    />
  );
}

function End({ secret }: { secret: EndpointSecret }) {
  if (secret.state === "revoked" && secret.revoked_at) return <Ago at={secret.revoked_at} />;
  if (secret.state === "expired" && secret.expires_at) return <Ago at={secret.expires_at} />;
  if (secret.expires_at) return <Until at={secret.expires_at} />;
  return <span className={classes.aside}>when it is rotated</span>;
}
