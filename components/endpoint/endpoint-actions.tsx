"use client";

import { Button } from "@mantine/core";
import { IconKey, IconPencil, IconPlayerPause, IconPlayerPlay, IconSend } from "@tabler/icons-react";
import Link from "next/link";
import { useState } from "react";
import type { Endpoint } from "#contracts/endpoints.ts";
import { GuardedButton } from "../guarded-button.tsx";
import { useWorkspace } from "../workspace-context.tsx";
import { DeleteDialog } from "./delete-dialog.tsx";
import classes from "./endpoint-page.module.css";
import { RecoverDialog } from "./recover-dialog.tsx";
import { StatusDialog } from "./status-dialog.tsx";
import { TestEventDialog } from "./test-event-dialog.tsx";

type Dialog = "test" | "pause" | "enable" | "disable" | "delete" | "failed" | "missing";

/** Everything that can be done about an endpoint. What the role may not do is there, and says why it is not done. */
export function EndpointActions({ endpoint }: { endpoint: Endpoint }) {
  const { href, refuse } = useWorkspace();
  const [dialog, show] = useState<Dialog | null>(null);
  const close = () => show(null);
  const change = refuse("webhooks:write", "change endpoints");
  const send = refuse("deliveries:replay", "send or replay");
  const isDisabled = endpoint.status === "disabled";
  const sendRefusal = send ?? (isDisabled ? "The endpoint is disabled. Enable it first." : null);
  const pageOf = (page: string) => href(`/endpoints/${endpoint.id}/${page}`);
  const refusals = [sendRefusal, change].filter((each) => each !== null);
  const button = { size: "xs", variant: "default" } as const;
  return (
    <div>
      <div className={classes.actions}>
        <GuardedButton
          {...button}
          refusal={sendRefusal}
          leftSection={<IconSend size={14} />}
          onClick={() => show("test")}
        >
          Send test event
        </GuardedButton>
        {endpoint.status === "enabled" ? (
          <GuardedButton
            {...button}
            refusal={change}
            leftSection={<IconPlayerPause size={14} />}
            onClick={() => show("pause")}
          >
            Pause
          </GuardedButton>
        ) : (
          <GuardedButton
            {...button}
            refusal={change}
            leftSection={<IconPlayerPlay size={14} />}
            onClick={() => show("enable")}
          >
            {isDisabled ? "Enable" : "Resume"}
          </GuardedButton>
        )}
        <Button {...button} component={Link} href={pageOf("edit")} leftSection={<IconPencil size={14} />}>
          Edit
        </Button>
        <Button {...button} component={Link} href={pageOf("rotate")} leftSection={<IconKey size={14} />}>
          Rotate secret
        </Button>
        <GuardedButton {...button} refusal={sendRefusal} onClick={() => show("failed")}>
          Recover failed since …
        </GuardedButton>
        <GuardedButton {...button} refusal={sendRefusal} onClick={() => show("missing")}>
          Replay missing …
        </GuardedButton>
        {!isDisabled && (
          <GuardedButton {...button} refusal={change} onClick={() => show("disable")}>
            Disable
          </GuardedButton>
        )}
        <GuardedButton
          {...button}
          c={change ? undefined : "var(--ph-bad)"}
          refusal={change}
          onClick={() => show("delete")}
        >
          Delete
        </GuardedButton>
      </div>
      {refusals.length > 0 && <p className={classes.refusals}>{refusals.join(" ")}</p>}
      {dialog === "test" && <TestEventDialog endpoint={endpoint} onClose={close} />}
      {(dialog === "pause" || dialog === "enable" || dialog === "disable") && (
        <StatusDialog endpoint={endpoint} to={dialog} onClose={close} />
      )}
      {dialog === "delete" && <DeleteDialog endpoint={endpoint} onClose={close} />}
      {(dialog === "failed" || dialog === "missing") && (
        <RecoverDialog endpoint={endpoint} includeMissing={dialog === "missing"} onClose={close} />
      )}
    </div>
  );
}
