"use client";

import { Button, Group, SegmentedControl, Text } from "@mantine/core";
import { useEffect, useState } from "react";
import { verifySnippets } from "#client/verify-snippets.ts";
import type { RotatedSecret } from "#contracts/endpoint-secrets.ts";
import type { Endpoint } from "#contracts/endpoints.ts";
import { CopyIcon } from "../copy-icon.tsx";
import { SecretOnce } from "../secret-once.tsx";
import classes from "./rotation.module.css";

interface HandOverStepProps {
  endpoint: Endpoint;
  /** The new secret while it is shown. */
  made: RotatedSecret | null;
  keys: { old: string; current: string };
  onKept: () => void;
}

/** The new secret, this once, and how a receiver uses both. */
export function HandOverStep({ endpoint, made, keys, onKept }: HandOverStepProps) {
  useWarningBeforeLeaving(made !== null);
  return (
    <>
      {made ? (
        <>
          <SecretOnce
            what={`signing secret ${made.kid}`}
            secret={made.secret}
            fileName={`${endpoint.id}-${made.kid}.txt`}
          />
          <Button variant="default" className={classes.start} onClick={onKept}>
            I have kept it: hide it
          </Button>
        </>
      ) : (
        <Text size="sm">
          {keys.current} was shown when it was made, and cannot be shown again. Should nobody have kept it,
          make another one in step 1.
        </Text>
      )}
      <Text size="sm">
        Give the receiver {keys.current} beside {keys.old}, by their ids. A receiver that picks the secret by{" "}
        <code>X-Signature-Key-Id</code>, or accepts any entry of <code>webhook-signature</code>, refuses
        nothing meanwhile.
      </Text>
      <Snippets endpoint={endpoint} keys={keys} />
    </>
  );
}

function Snippets({ endpoint, keys }: Pick<HandOverStepProps, "endpoint" | "keys">) {
  const all = verifySnippets(endpoint.signature_format, keys);
  const [language, choose] = useState(all[0]?.language ?? "");
  const code = all.find((each) => each.language === language)?.code ?? "";
  return (
    <div>
      <Group justify="space-between" gap="xs" mb={6}>
        <SegmentedControl
          size="xs"
          aria-label="Language of the example"
          data={all.map((each) => each.language)}
          value={language}
          onChange={choose}
        />
        <CopyIcon value={code} what="example" />
      </Group>
      <pre className={classes.code}>{code}</pre>
    </div>
  );
}

/** What is shown once is not lost by a slip. */
function useWarningBeforeLeaving(isShown: boolean): void {
  useEffect(() => {
    if (!isShown) return;
    const warn = (event: Event) => event.preventDefault();
    window.addEventListener("beforeunload", warn);
    return () => window.removeEventListener("beforeunload", warn);
  }, [isShown]);
}
