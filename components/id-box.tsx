"use client";

import { CloseButton, Kbd, TextInput } from "@mantine/core";
import { IconSearch } from "@tabler/icons-react";
import { useRouter } from "next/navigation";
import { type FormEvent, useRef, useState } from "react";
import { jumpFor } from "#client/jump.ts";
import { useShortcut } from "#client/use-shortcut.ts";
import { useWorkspace } from "./workspace-context.tsx";

/** Takes an id that was pasted and goes to its thing. */
export function IdBox({ className }: { className?: string | undefined }) {
  const { href } = useWorkspace();
  const router = useRouter();
  const input = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState("");
  const [error, setError] = useState<string | null>(null);
  useShortcut("search", () => input.current?.focus());
  const type = (text: string) => {
    setTyped(text);
    setError(null);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const path = jumpFor(typed)?.path;
    if (path) return router.push(href(path));
    if (typed.trim() !== "")
      setError("No id of an event, delivery, endpoint or replay. Deliveries can be searched for text.");
  };
  return (
    <form className={className} onSubmit={submit}>
      <TextInput
        ref={input}
        size="xs"
        type="text"
        name="id"
        autoComplete="off"
        spellCheck={false}
        maxLength={200}
        aria-label="Go to an id"
        placeholder="Paste an id: evt_, dlv_, whe_, rpl_"
        leftSection={<IconSearch size={15} />}
        rightSection={
          typed ? (
            <CloseButton size="xs" aria-label="Clear the id" onClick={() => type("")} />
          ) : (
            <Kbd size="xs" aria-hidden="true">
              /
            </Kbd>
          )
        }
        value={typed}
        error={error}
        onChange={(event) => type(event.currentTarget.value)}
        onKeyDown={(event) => event.key === "Escape" && event.currentTarget.blur()}
      />
    </form>
  );
}
