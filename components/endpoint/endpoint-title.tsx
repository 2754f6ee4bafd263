import { Code, Group, Text, Title } from "@mantine/core";
import type { EndpointState } from "#client/endpoint-state.ts";
import { partsOfUrl } from "#client/endpoints.ts";
import type { Endpoint } from "#contracts/endpoints.ts";
import { CopyIcon } from "../copy-icon.tsx";
import { EndpointStateMark } from "../endpoints/endpoint-state-mark.tsx";
import classes from "./endpoint-page.module.css";

/** The URL of an endpoint, how it is doing, and its id. */
export function EndpointTitle({ endpoint, state }: { endpoint: Endpoint; state: EndpointState }) {
  const { host, path } = partsOfUrl(endpoint.url);
  return (
    <div className={classes.title}>
      <Group gap="md" align="center">
        <Title order={1} className={classes.url}>
          {host}
          <span className={classes.path}>{path}</span>
        </Title>
        <EndpointStateMark state={state} />
      </Group>
      {endpoint.description && (
        <Text size="sm" className={classes.description}>
          {endpoint.description}
        </Text>
      )}
      <Group gap={4} wrap="nowrap">
        <Code className={classes.id}>{endpoint.id}</Code>
        <CopyIcon value={endpoint.id} what="endpoint id" />
      </Group>
    </div>
  );
}
