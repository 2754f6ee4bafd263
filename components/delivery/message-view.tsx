"use client";

import { useId } from "react";
import { BodyView } from "./body-view.tsx";
import classes from "./message-view.module.css";

interface MessageViewProps {
  title: string;
  /** Method and URL, or the status. */
  line: string;
  headers: Readonly<Record<string, string>>;
  body: string;
  isTruncated?: boolean;
}

/** Says in the place of a response why there is none. */
export function NoResponse({ reason }: { reason: string }) {
  return (
    <section className={classes.message}>
      <h4 className={classes.title}>Response</h4>
      <p className={classes.none}>None. {reason}</p>
    </section>
  );
}

/** An HTTP message as it travelled: first line, headers, body. Everything is shown as text, whatever it holds. */
export function MessageView({ title, line, headers, body, isTruncated }: MessageViewProps) {
  const heading = useId();
  const all = Object.entries(headers);
  return (
    <section className={classes.message} aria-labelledby={heading}>
      <h4 id={heading} className={classes.title}>
        {title}
      </h4>
      <p className={classes.line}>{line}</p>
      {all.length > 0 && (
        <dl className={classes.headers}>
          {all.map(([name, value]) => (
            <div key={name} className={classes.header}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      )}
      <BodyView title={title} body={body} isTruncated={isTruncated} />
    </section>
  );
}
