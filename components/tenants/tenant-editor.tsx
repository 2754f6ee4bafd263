"use client";

import { Skeleton, Stack } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { changeTenant, makeTenant, tenantQuery, tenantsKey } from "#client/manage-tenants.ts";
import { formOf, NEW_TENANT, tenantChanges } from "#client/tenant-form.ts";
import type { Tenant, TenantPatch } from "#contracts/tenants.ts";
import { useAnnounce } from "../announcer.tsx";
import { ProblemAlert } from "../problem-alert.tsx";
import { TenantFields } from "./tenant-fields.tsx";

interface TenantEditorProps {
  /** `null` for one that is to be made. */
  id: string | null;
  /** Why it cannot be changed; `null` when it can. */
  refusal: string | null;
  onDone: (id: string) => void;
}

/** One tenant, to be read and changed, or made. */
export function TenantEditor({ id, refusal, onDone }: TenantEditorProps) {
  if (id === null) return <TenantForm tenant={null} refusal={refusal} onDone={onDone} />;
  return <KnownTenant id={id} refusal={refusal} onDone={onDone} />;
}

function KnownTenant({ id, refusal, onDone }: TenantEditorProps & { id: string }) {
  const tenant = useQuery(tenantQuery(id));
  if (tenant.error) return <ProblemAlert error={tenant.error} onRetry={() => void tenant.refetch()} />;
  if (!tenant.data)
    return (
      <Stack>
        <Skeleton height={36} />
        <Skeleton height={36} />
      </Stack>
    );
  return <TenantForm tenant={tenant.data} refusal={refusal} onDone={onDone} />;
}

function TenantForm({ tenant, refusal, onDone }: Omit<TenantEditorProps, "id"> & { tenant: Tenant | null }) {
  const client = useQueryClient();
  const announce = useAnnounce();
  // Made once, so that a repeat after an answer that was lost makes no second one.
  const [wish] = useState(() => crypto.randomUUID());
  const saving = useMutation({
    mutationFn: (body: Required<TenantPatch>) =>
      tenant ? changeTenant(tenant.id, tenantChanges(tenant, body)) : makeTenant(body, wish),
    onSuccess: async (saved) => {
      client.setQueryData(tenantQuery(saved.id).queryKey, saved);
      await client.invalidateQueries({ queryKey: tenantsKey });
      announce(`Saved ${saved.name}`);
      onDone(saved.id);
    },
  });
  return (
    <TenantFields
      tenant={tenant}
      initial={tenant ? formOf(tenant) : NEW_TENANT}
      refusal={refusal}
      isSaving={saving.isPending}
      isSaved={saving.isSuccess}
      error={saving.error}
      onSave={(body) => saving.mutate(body)}
    />
  );
}
