"use client";

import { Button, CopyButton, Group, Text } from "@mantine/core";
import { IconCheck, IconTerminal2 } from "@tabler/icons-react";
import { curlOf } from "#client/curl.ts";
import { whyOf } from "#client/next-step.ts";
import type { Attempt, Outcome } from "#contracts/deliveries.ts";
import { explainOutcome } from "#contracts/explain-outcome.ts";
import { useAnnounce } from "../announcer.tsx";
import { Moment } from "../time.tsx";
import classes from "./attempt-details.module.css";
import { MessageView, NoResponse } from "./message-view.tsx";
import { SignatureNote } from "./signature-note.tsx";
import { TimingsBar } from "./timings-bar.tsx";

const LOST: Outcome = "lost";

/** What an attempt sent, what came back, how long each part took, and what it means. */
export function AttemptDetails({ attempt }: { attempt: Attempt }) {
  const { request, response } = attempt;
  return (
    <div className={classes.details}>
      <div className={classes.summary}>
        <div>
          <Text size="sm">
            {attempt.outcome === LOST ? whyOf(attempt.error_code) : explainOutcome(attempt.error_code)}
          </Text>
          <Text size="xs" c="dimmed">
            Started <Moment at={attempt.started_at} />
            {attempt.remote_address && <> · sent to {attempt.remote_address}</>}
            {attempt.next_attempt_at && (
              <>
                {" "}
                · next attempt set for <Moment at={attempt.next_attempt_at} />
              </>
            )}
          </Text>
        </div>
        <CopyCurl attempt={attempt} />
      </div>
      {attempt.timings_ms && <TimingsBar timings={attempt.timings_ms} />}
      <SignatureNote request={request} />
      <div className={classes.messages}>
        <MessageView
          title="Request"
          line={`${request.method} ${request.url}`}
          headers={request.headers}
          body={request.body}
        />
        {response ? (
          <MessageView
            title="Response"
            line={`Status ${response.status}`}
            headers={response.headers}
            body={response.body}
            isTruncated={response.body_truncated}
          />
        ) : (
          <NoResponse reason={explainOutcome(attempt.error_code)} />
        )}
      </div>
    </div>
  );
}

function CopyCurl({ attempt }: { attempt: Attempt }) {
  const announce = useAnnounce();
  return (
    <CopyButton value={curlOf(attempt.request)} timeout={1_500}>
      {({ copied, copy }) => (
        <Group gap="xs">
          <Button
            size="xs"
            variant="default"
            leftSection={copied ? <IconCheck size={14} /> : <IconTerminal2 size={14} />}
            onClick={() => {
              copy();
              announce("Copied the request as a curl command");
            }}
          >
            {copied ? "Copied" : "Copy as curl"}
          </Button>
        </Group>
      )}
    </CopyButton>
  );
}
