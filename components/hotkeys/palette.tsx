"use client";

import { Modal, Text, TextInput } from "@mantine/core";
import { IconSearch } from "@tabler/icons-react";
import { useRouter } from "next/navigation";
import { type KeyboardEvent, useId, useRef, useState } from "react";
import { useOfferedActions } from "#client/page-actions.ts";
import { Keys } from "./keys.tsx";
import classes from "./palette.module.css";
import { type Command, commandsFor, type Places } from "./palette-commands.ts";

interface PaletteProps {
  places: Places;
  onClose: () => void;
  onShowKeys: () => void;
}

/** Goes to any section, tenant or pasted id, and does what the page offers, by keyboard. */
export function Palette({ places, onClose, onShowKeys }: PaletteProps) {
  const router = useRouter();
  const actions = useOfferedActions();
  const [text, setText] = useState("");
  const [at, setAt] = useState(0);
  const list = useId();
  const box = useRef<HTMLDivElement>(null);
  const commands = commandsFor(text, {
    ...places,
    actions,
    go: (path) => router.push(path),
    showKeys: onShowKeys,
  });
  const current = Math.min(at, commands.length - 1);
  const choose = (command: Command | undefined) => {
    if (!command) return;
    onClose();
    // Once the dialog has given the focus back, so that what opens now keeps it.
    setTimeout(command.run);
  };
  const move = (by: number) => {
    const next = (current + by + commands.length) % Math.max(1, commands.length);
    setAt(next);
    box.current?.querySelector(`[data-at="${next}"]`)?.scrollIntoView({ block: "nearest" });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === "ArrowDown") move(1);
    else if (event.key === "ArrowUp") move(-1);
    else if (event.key === "Enter") choose(commands[current]);
    else return;
    event.preventDefault();
  };
  return (
    <Modal.Root opened onClose={onClose} padding={0} size="lg" yOffset="10dvh">
      <Modal.Overlay />
      <Modal.Content aria-label="Command palette">
        <Modal.Body>
          <CommandField
            list={list}
            active={commands.length > 0 ? `${list}-${current}` : undefined}
            text={text}
            onType={(typed) => {
              setText(typed);
              setAt(0);
            }}
            onKeyDown={onKeyDown}
          />
          <div id={list} ref={box} role="listbox" aria-label="Commands" className={classes.box}>
            {commands.map((command, index) => (
              <CommandLine
                key={command.key}
                id={`${list}-${index}`}
                command={command}
                index={index}
                isActive={index === current}
                isFirst={command.group !== commands[index - 1]?.group}
                onPoint={() => setAt(index)}
                onChoose={() => choose(command)}
              />
            ))}
          </div>
          {commands.length === 0 && (
            <Text size="sm" c="dimmed" p="md">
              Nothing fits.
            </Text>
          )}
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}

interface CommandFieldProps {
  /** Id of the list, and of its active line. */
  list: string;
  active: string | undefined;
  text: string;
  onType: (text: string) => void;
  onKeyDown: (event: KeyboardEvent) => void;
}

function CommandField({ list, active, text, onType, onKeyDown }: CommandFieldProps) {
  return (
    <TextInput
      data-autofocus
      size="md"
      variant="unstyled"
      className={classes.input}
      role="combobox"
      aria-expanded
      aria-controls={list}
      aria-activedescendant={active}
      aria-autocomplete="list"
      aria-label="Command, section, tenant or id"
      placeholder="Type a command, or paste an id"
      autoComplete="off"
      spellCheck={false}
      leftSection={<IconSearch size={17} />}
      value={text}
      onChange={(event) => onType(event.currentTarget.value)}
      onKeyDown={onKeyDown}
    />
  );
}

interface CommandLineProps {
  id: string;
  command: Command;
  index: number;
  isActive: boolean;
  /** Of its group. */
  isFirst: boolean;
  onPoint: () => void;
  onChoose: () => void;
}

function CommandLine({ id, command, index, isActive, isFirst, onPoint, onChoose }: CommandLineProps) {
  return (
    <>
      {isFirst && (
        <div className={classes.group} role="presentation">
          {command.group}
        </div>
      )}
      {/* biome-ignore lint/a11y/useFocusableInteractive lint/a11y/useKeyWithClickEvents: the field has focus and keys. */}
      <div
        id={id}
        role="option"
        data-at={index}
        aria-selected={isActive}
        className={classes.command}
        onMouseMove={onPoint}
        onClick={onChoose}
      >
        <span className={classes.label}>{command.label}</span>
        {command.hotkey && <Keys of={command.hotkey} />}
      </div>
    </>
  );
}
