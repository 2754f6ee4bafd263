"use client";

import { CloseButton, TextInput } from "@mantine/core";
import { IconSearch } from "@tabler/icons-react";
import { useRouter } from "next/navigation";
import { type FormEvent, useEffect, useRef, useState } from "react";
import { type Filters, searchFor } from "#client/delivery-filters.ts";
import { useShortcut } from "#client/use-shortcut.ts";
import { Keys } from "../hotkeys/keys.tsx";
import { useWorkspace } from "../workspace-context.tsx";
import classes from "./filter-bar.module.css";

interface SearchBoxProps {
  /** What is searched for now. */
  text: string;
  onFilter: (some: Partial<Filters>) => void;
}

/** Takes a delivery, event or endpoint id and goes there, or looks for a text in the bodies of events. */
export function SearchBox({ text, onFilter }: SearchBoxProps) {
  const { href } = useWorkspace();
  const router = useRouter();
  const input = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState(text);
  useEffect(() => setTyped(text), [text]);
  useShortcut("search", () => input.current?.focus());

  const search = (wanted: string) => {
    const found = searchFor(wanted);
    if ("open" in found) return router.push(href(`/deliveries/${found.open}`));
    onFilter(found.filter);
    // An id has become a filter of its own beside the box.
    setTyped(found.filter.q ?? "");
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    search(typed);
  };
  return (
    <form className={classes.search} onSubmit={submit}>
      <TextInput
        ref={input}
        size="xs"
        type="text"
        name="q"
        autoComplete="off"
        spellCheck={false}
        maxLength={200}
        aria-label="Search by id or by text in the event"
        placeholder="Paste an id, or find text in events"
        leftSection={<IconSearch size={15} />}
        rightSection={
          typed ? (
            <CloseButton size="xs" aria-label="Clear the search" onClick={() => search("")} />
          ) : (
            <span aria-hidden="true">
              <Keys of="search" />
            </span>
          )
        }
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
        onKeyDown={(event) => event.key === "Escape" && event.currentTarget.blur()}
      />
    </form>
  );
}
