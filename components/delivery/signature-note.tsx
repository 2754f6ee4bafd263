"use client";

import { SegmentedControl, Text } from "@mantine/core";
import { IconChevronRight } from "@tabler/icons-react";
import { useState } from "react";
import { LANGUAGES, type Language, type SignatureFacts, signatureOf, snippetOf } from "#client/signature.ts";
import type { Attempt } from "#contracts/deliveries.ts";
import { CopyIcon } from "../copy-icon.tsx";
import classes from "./signature-note.module.css";

const FORMAT: Record<SignatureFacts["format"], string> = {
  hex: "64 hexadecimal digits",
  sha256: "`sha256=` and 64 hexadecimal digits",
  timestamped: "time, key id and 64 hexadecimal digits (`t=…,kid=…,v1=…`)",
};

/** Which bytes of an attempt were signed, how and with which key, and programs that verify it. */
export function SignatureNote({ request }: { request: Attempt["request"] }) {
  const facts = signatureOf(request);
  if (!facts) return null;
  return (
    <details className={classes.note}>
      <summary className={classes.summary}>
        <IconChevronRight size={15} aria-hidden="true" className={classes.chevron} />
        Signature{facts.keyId && <> with key {facts.keyId}</>}, and how to verify it yourself
      </summary>
      <dl className={classes.facts}>
        <dt>Signed bytes</dt>
        <dd>
          {facts.prefix !== "" && (
            <>
              <code>{facts.prefix}</code> followed by{" "}
            </>
          )}
          the raw request body, byte for byte: verify before you parse it.
        </dd>
        <dt>Made by</dt>
        <dd>
          HMAC-SHA256 with the endpoint’s secret as it is displayed, <code>whsec_…</code> included.
        </dd>
        <dt>Key</dt>
        <dd>
          {facts.keyId ? <code>{facts.keyId}</code> : "not named"}, as <code>X-Signature-Key-Id</code> says.
          After a rotation, choose the secret by it.
        </dd>
        <dt>Written as</dt>
        <dd>{FORMAT[facts.format]}</dd>
        {facts.standard && (
          <>
            <dt>Standard Webhooks</dt>
            <dd>
              <code>webhook-signature</code> is over <code>{facts.standard.prefix}</code> followed by the
              body, with the bytes that <code>whsec_</code> encodes in base64; one entry for each valid key,
              here {facts.standard.entries.length}.
            </dd>
          </>
        )}
      </dl>
      <Snippets facts={facts} />
    </details>
  );
}

function Snippets({ facts }: { facts: SignatureFacts }) {
  const [language, setLanguage] = useState<Language>("Shell");
  const snippet = snippetOf(language, facts);
  if (snippet === "") return null;
  return (
    <div>
      <div className={classes.bar}>
        <SegmentedControl
          size="xs"
          aria-label="Language"
          data={[...LANGUAGES]}
          value={language}
          onChange={(value) => setLanguage(value as Language)}
        />
        <CopyIcon value={snippet} what={`the program for ${language}`} />
      </div>
      <Text size="xs" c="dimmed" mb={6}>
        Copy the raw body below into <code>body.json</code> without a line break at its end, and put the
        secret into <code>WEBHOOK_SECRET</code>. It never leaves your machine.
      </Text>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard. */}
      <section className={classes.scroll} tabIndex={0} aria-label={`Program for ${language}`}>
        <pre className={classes.code}>{snippet}</pre>
      </section>
    </div>
  );
}
