"use client";

import { IconPlus } from "@tabler/icons-react";
import { useInfiniteQuery } from "@tanstack/react-query";
import { parseAsBoolean, useQueryState } from "nuqs";
import { useState } from "react";
import { keysQuery } from "#client/api-keys.ts";
import { roleRefusal } from "#client/role-refusal.ts";
import { holds } from "#client/session.ts";
import type { ApiKey } from "#contracts/keys.ts";
import { useConsole } from "../console-context.tsx";
import { EmptyNote } from "../empty-note.tsx";
import { GuardedButton } from "../guarded-button.tsx";
import { ListPage } from "../list-page.tsx";
import { PageHeader } from "../page-header.tsx";
import { KeyTable } from "./key-table.tsx";
import { NewKeyDialog } from "./new-key-dialog.tsx";
import { RevokeKeyDialog } from "./revoke-key-dialog.tsx";
import { RotateKeyDialog } from "./rotate-key-dialog.tsx";

type Chosen = { key: ApiKey; to: "rotate" | "revoke" };

/** The page of all API keys of a tenant. */
export function KeyList() {
  const { tenantId, user } = useConsole();
  const isAllowed = holds(user.role, "keys:manage");
  const list = useInfiniteQuery({ ...keysQuery(tenantId), enabled: isAllowed });
  const [isMaking, make] = useQueryState("new", parseAsBoolean.withDefault(false));
  const [chosen, choose] = useState<Chosen | null>(null);
  const refusal = roleRefusal(user.role, "keys:manage", "see or make API keys");
  const close = () => choose(null);
  return (
    <>
      <PageHeader
        title="API keys"
        action={
          <GuardedButton
            size="sm"
            leftSection={<IconPlus size={16} />}
            refusal={refusal}
            onClick={() => void make(true)}
          >
            New API key
          </GuardedButton>
        }
      >
        With one of these a program acts for this tenant, and does what the key’s scopes allow.
      </PageHeader>
      {isAllowed ? (
        <ListPage
          list={list}
          nouns={["API key", "API keys"]}
          empty={
            <EmptyNote title="No API keys yet">
              A program needs one to publish events or to read deliveries. Make it with “New API key”.
            </EmptyNote>
          }
        >
          {(rows, isLoading) => (
            <KeyTable rows={rows} isLoading={isLoading} onChoose={(key, to) => choose({ key, to })} />
          )}
        </ListPage>
      ) : (
        <EmptyNote title="API keys are not for your role">{refusal}</EmptyNote>
      )}
      {isMaking && isAllowed && <NewKeyDialog onClose={() => void make(null)} />}
      {chosen?.to === "rotate" && <RotateKeyDialog apiKey={chosen.key} onClose={close} />}
      {chosen?.to === "revoke" && <RevokeKeyDialog apiKey={chosen.key} onClose={close} />}
    </>
  );
}
