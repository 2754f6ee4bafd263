"use client";

import { Button, Menu, ScrollArea, Text } from "@mantine/core";
import { IconChevronDown } from "@tabler/icons-react";
import { type ReactNode, useState } from "react";
import classes from "./pick-menu.module.css";

export interface Option {
  value: string;
  label: ReactNode;
  /** What the search within the menu looks at, and what the button shows. */
  text: string;
}

interface PickMenuProps {
  /** The thing that is picked, such as `Status`. */
  label: string;
  options: readonly Option[];
  picked: readonly string[];
  onPick: (picked: string[]) => void;
  /** One at most; picking it closes the menu. */
  single?: boolean;
  searchable?: boolean;
  /** Whether a text that is no option may be picked too. */
  freeText?: boolean;
}

/** A filter as a button that says what is picked, with its options in a menu. */
export function PickMenu({ label, options, picked, onPick, single, searchable, freeText }: PickMenuProps) {
  const [search, setSearch] = useState("");
  const wanted = search.trim();
  const all = withPicked(options, picked);
  const found = all.filter((option) => option.text.toLowerCase().includes(wanted.toLowerCase()));
  const isNew = freeText && wanted !== "" && !all.some((option) => option.value === wanted);
  const toggle = (value: string) => {
    const has = picked.includes(value);
    if (single) onPick(has ? [] : [value]);
    else onPick(has ? picked.filter((one) => one !== value) : [...picked, value]);
  };
  return (
    <Menu position="bottom-start" width={280} closeOnItemClick={single}>
      <Menu.Target>
        <Button
          size="xs"
          variant="default"
          className={classes.button}
          data-picked={picked.length > 0 || undefined}
          rightSection={<IconChevronDown size={14} />}
        >
          {label}
          {picked.length > 0 && <span className={classes.picked}>{summary(all, picked)}</span>}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {searchable && (
          <Menu.Search
            aria-label={`Find: ${label}`}
            placeholder="Find…"
            value={search}
            onChange={(event) => setSearch(event.currentTarget.value)}
          />
        )}
        <ScrollArea.Autosize mah={320} type="auto">
          {found.map((option) => (
            <Menu.CheckboxItem
              key={option.value}
              checked={picked.includes(option.value)}
              closeMenuOnClick={single}
              onChange={() => toggle(option.value)}
            >
              {option.label}
            </Menu.CheckboxItem>
          ))}
          {isNew && <Menu.Item onClick={() => toggle(wanted)}>Use “{wanted}”</Menu.Item>}
          {found.length === 0 && !isNew && (
            <Text size="sm" c="dimmed" p="xs">
              Nothing found
            </Text>
          )}
        </ScrollArea.Autosize>
        {picked.length > 0 && (
          <>
            <Menu.Divider />
            <Menu.Item onClick={() => onPick([])} closeMenuOnClick>
              Any
            </Menu.Item>
          </>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}

/** What is picked can be unpicked, even if it is none of the options. */
function withPicked(options: readonly Option[], picked: readonly string[]): Option[] {
  const known = new Set(options.map((option) => option.value));
  const others = picked.filter((value) => !known.has(value));
  return [...others.map((value) => ({ value, label: value, text: value })), ...options];
}

function summary(options: readonly Option[], picked: readonly string[]): string {
  const [first] = picked;
  const text = options.find((option) => option.value === first)?.text ?? "";
  return picked.length > 1 ? `${text} +${picked.length - 1}` : text;
}
