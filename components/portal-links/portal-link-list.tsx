"use client";

import { IconPlus } from "@tabler/icons-react";
import { useInfiniteQuery } from "@tanstack/react-query";
import { parseAsBoolean, useQueryState } from "nuqs";
import { useState } from "react";
import { portalLinksQuery } from "#client/portal-links.ts";
import type { PortalLink } from "#contracts/portal-links.ts";
import { EmptyNote } from "../empty-note.tsx";
import { GuardedButton } from "../guarded-button.tsx";
import { ListPage } from "../list-page.tsx";
import { PageHeader } from "../page-header.tsx";
import { useWorkspace } from "../workspace-context.tsx";
import { NewLinkDialog } from "./new-link-dialog.tsx";
import { PortalLinkTable } from "./portal-link-table.tsx";
import { RevokeLinkDialog } from "./revoke-link-dialog.tsx";

/** The page of all links to the consumer portal of a tenant. */
export function PortalLinkList() {
  const { tenantId, refuse } = useWorkspace();
  const list = useInfiniteQuery(portalLinksQuery(tenantId));
  const [isMaking, make] = useQueryState("new", parseAsBoolean.withDefault(false));
  const [revoked, askToRevoke] = useState<PortalLink | null>(null);
  const refusal = refuse("portal-links:write", "make or revoke portal links");
  return (
    <>
      <PageHeader
        title="Portal links"
        action={
          <GuardedButton
            size="sm"
            leftSection={<IconPlus size={16} />}
            refusal={refusal}
            onClick={() => void make(true)}
          >
            New portal link
          </GuardedButton>
        }
      >
        Whoever has such a link manages this tenant’s webhooks without an account, for a while and as far as
        it allows.
      </PageHeader>
      <ListPage
        list={list}
        nouns={["link", "links"]}
        empty={
          <EmptyNote title="No portal links yet">
            With a link a customer sees their own deliveries, mends their endpoints and replays what failed.
            Make one with “New portal link”, or with <code>POST /api/v1/portal-links</code>.
          </EmptyNote>
        }
      >
        {(rows, isLoading) => (
          <PortalLinkTable rows={rows} isLoading={isLoading} refusal={refusal} onRevoke={askToRevoke} />
        )}
      </ListPage>
      {isMaking && refusal === null && <NewLinkDialog onClose={() => void make(null)} />}
      {revoked && <RevokeLinkDialog link={revoked} onClose={() => askToRevoke(null)} />}
    </>
  );
}
