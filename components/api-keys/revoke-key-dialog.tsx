"use client";

import { endKey, keysQuery } from "#client/api-keys.ts";
import type { ApiKey } from "#contracts/keys.ts";
import { useConsole } from "../console-context.tsx";
import { RevokeDialog } from "../revoke-dialog.tsx";

/** Revokes a key once somebody has read what that does. */
export function RevokeKeyDialog({ apiKey, onClose }: { apiKey: ApiKey; onClose: () => void }) {
  const { tenantId } = useConsole();
  return (
    <RevokeDialog
      title={`Revoke “${apiKey.name}”?`}
      lastUsedAt={apiKey.last_used_at}
      revoke={() => endKey(tenantId, apiKey.id)}
      listKey={keysQuery(tenantId).queryKey}
      announcement={`${apiKey.name} is revoked`}
      onClose={onClose}
    >
      Whatever uses it is refused from now on, and it cannot be brought back.
    </RevokeDialog>
  );
}
