"use client";

import { Alert, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useParams, useRouter } from "next/navigation";
import { useMemo, useState } from "react";
import { endpointQuery } from "#client/endpoint.ts";
import { formOf } from "#client/endpoint-form.ts";
import { type Meanwhile, useEndpointEdit } from "#client/use-endpoint-edit.ts";
import type { Endpoint } from "#contracts/endpoints.ts";
import { useAnnounce } from "../announcer.tsx";
import { BackLink } from "../back-link.tsx";
import { MissingEndpoint } from "../endpoint/missing-endpoint.tsx";
import { PageHeader } from "../page-header.tsx";
import { Ago } from "../time.tsx";
import { useWorkspace } from "../workspace-context.tsx";
import { EndpointForm } from "./endpoint-form.tsx";

/** The page that changes the settings of an endpoint. */
export function EditEndpointPage() {
  const { tenantId } = useWorkspace();
  const { id } = useParams<{ id: string }>();
  const endpoint = useQuery({ ...endpointQuery(tenantId, id), staleTime: 0 });
  return (
    <Stack gap="md">
      <BackLink path={`/endpoints/${id}`}>The endpoint</BackLink>
      {endpoint.data && endpoint.isFetchedAfterMount ? (
        <Editor found={endpoint.data} />
      ) : (
        <MissingEndpoint error={endpoint.error} onRetry={() => void endpoint.refetch()} />
      )}
    </Stack>
  );
}

function Editor({ found }: { found: Endpoint }) {
  const { tenantId, href, refuse } = useWorkspace();
  const router = useRouter();
  const announce = useAnnounce();
  // As it was when the form was opened: what is typed is compared with this.
  const [base] = useState(found);
  const initial = useMemo(() => formOf(base), [base]);
  const page = href(`/endpoints/${base.id}`);
  const { save, isSaving, meanwhile, error } = useEndpointEdit(tenantId, base, () => {
    announce("The changes are saved");
    router.push(page);
  });
  return (
    <>
      <PageHeader title="Edit endpoint">
        What is not changed here stays as it is, secrets included.
      </PageHeader>
      <EndpointForm
        initial={initial}
        action={meanwhile ? "Save my changes on top" : "Save"}
        refusal={refuse("webhooks:write", "change endpoints")}
        isBusy={isSaving}
        error={error}
        onSubmit={save}
        onCancel={() => router.push(page)}
      >
        {meanwhile && <MeanwhileNote {...meanwhile} />}
      </EndpointForm>
    </>
  );
}

function MeanwhileNote({ now, members }: Meanwhile) {
  return (
    <Alert role="alert" variant="default" title="Somebody has changed this endpoint meanwhile">
      <Text size="sm">
        It is at version {now.version} now, changed <Ago at={now.updated_at} />
        {members.length > 0 && `: ${members.join(", ")}`}. Nothing of yours was saved, and what you typed is
        still here. Saving again puts your changes, and only those, on top.
      </Text>
    </Alert>
  );
}
