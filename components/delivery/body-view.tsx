"use client";

import { Group, SegmentedControl, Text } from "@mantine/core";
import { useMemo, useState } from "react";
import { byteSize } from "#client/format.ts";
import { prettyJson } from "#client/pretty-json.ts";
import { CopyIcon } from "../copy-icon.tsx";
import classes from "./body-view.module.css";

interface BodyViewProps {
  /** The message it belongs to: `Request` or `Response`. */
  title: string;
  body: string;
  isTruncated?: boolean;
  startsPretty?: boolean;
}

/** A body letter for letter, or with line breaks when it is JSON. */
export function BodyView({ title, body, isTruncated = false, startsPretty = false }: BodyViewProps) {
  const [isPretty, setPretty] = useState(startsPretty);
  const pretty = useMemo(() => prettyJson(body), [body]);
  if (body === "")
    return (
      <Text size="xs" c="dimmed" className={classes.empty}>
        No body
      </Text>
    );
  return (
    <div className={classes.body}>
      <Group justify="space-between" gap="xs" wrap="nowrap" className={classes.bar}>
        <Text size="xs" c="dimmed">
          Body, {byteSize(body)}
          {isTruncated && ": the beginning, the rest was not kept"}
        </Text>
        <Group gap={4} wrap="nowrap">
          {pretty !== null && (
            <SegmentedControl
              size="xs"
              aria-label={`How to show the ${title.toLowerCase()} body`}
              data={["Raw", "Pretty"]}
              value={isPretty ? "Pretty" : "Raw"}
              onChange={(value) => setPretty(value === "Pretty")}
            />
          )}
          <CopyIcon value={body} what={`${title.toLowerCase()} body`} />
        </Group>
      </Group>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard. */}
      <section className={classes.scroll} tabIndex={0} aria-label={`${title} body`}>
        <pre className={classes.text}>{isPretty && pretty !== null ? pretty : body}</pre>
      </section>
    </div>
  );
}
