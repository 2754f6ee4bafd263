"use client";

import { Anchor, Button, Group, Stack, Text } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import Link from "next/link";
import { useRouter } from "next/navigation";
import { useRef } from "react";
import { uuidv7 } from "uuidv7";
import { refreshEndpoints, register } from "#client/endpoint.ts";
import { EMPTY_FORM, type EndpointForm as Form, newEndpointOf } from "#client/endpoint-form.ts";
import type { EndpointWithSecret, NewEndpoint } from "#contracts/endpoints.ts";
import { useAnnounce } from "../announcer.tsx";
import { BackLink } from "../back-link.tsx";
import { PageHeader } from "../page-header.tsx";
import { SecretOnce } from "../secret-once.tsx";
import { useWorkspace } from "../workspace-context.tsx";
import { EndpointForm } from "./endpoint-form.tsx";

/** The page that registers an endpoint, and then shows its secret this once. */
export function NewEndpointPage() {
  const { tenantId, href, refuse } = useWorkspace();
  const router = useRouter();
  const client = useQueryClient();
  const announce = useAnnounce();
  // One wish is one endpoint: the key changes with what is asked for, not with each try.
  const wish = useRef({ text: "", key: "" });
  const making = useMutation({
    mutationFn: (body: NewEndpoint) => {
      const text = JSON.stringify(body);
      if (wish.current.text !== text) wish.current = { text, key: uuidv7() };
      return register(tenantId, body, wish.current.key);
    },
    // What is shown once is not kept for longer than it is shown.
    gcTime: 0,
    onSuccess: () => {
      void refreshEndpoints(client);
      announce("The endpoint is registered. Its secret is shown this once.");
    },
  });
  const submit = (form: Form) => {
    const read = newEndpointOf(form);
    if ("errors" in read) return read.errors;
    making.mutate(read.value);
    return null;
  };
  const list = href("/endpoints");
  return (
    <Stack gap="md">
      <BackLink path="/endpoints">Endpoints</BackLink>
      {making.data ? (
        <Registered endpoint={making.data} />
      ) : (
        <>
          <PageHeader title="New endpoint">
            A URL that is sent the events it asks for, signed with a secret of its own.
          </PageHeader>
          <EndpointForm
            initial={EMPTY_FORM}
            action="Register the endpoint"
            refusal={refuse("webhooks:write", "register endpoints")}
            isBusy={making.isPending}
            error={making.error}
            onSubmit={submit}
            onCancel={() => router.push(list)}
          />
        </>
      )}
    </Stack>
  );
}

function Registered({ endpoint }: { endpoint: EndpointWithSecret }) {
  const { href } = useWorkspace();
  const page = href(`/endpoints/${endpoint.id}`);
  return (
    <Stack gap="md">
      <PageHeader title="The endpoint is registered">{endpoint.url}</PageHeader>
      <SecretOnce
        what={`signing secret ${endpoint.secret_key_id}`}
        secret={endpoint.secret}
        fileName={`${endpoint.id}-${endpoint.secret_key_id}.txt`}
      />
      <Text size="sm">
        From now on it gets the events it asks for. Send it a test event from its page; should the secret get
        lost,{" "}
        <Anchor component={Link} href={href(`/endpoints/${endpoint.id}/rotate`)} size="sm">
          rotate it
        </Anchor>
        .
      </Text>
      <Group>
        <Button component={Link} href={page}>
          I have kept the secret: to the endpoint
        </Button>
      </Group>
    </Stack>
  );
}
