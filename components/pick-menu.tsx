"use client";

import { Button } from "@mantine/core";
import { IconChevronDown } from "@tabler/icons-react";
import { type Option, PickList } from "./pick-list.tsx";
import classes from "./pick-menu.module.css";

interface PickMenuProps {
  /** The thing that is picked, such as `Status`. */
  label: string;
  options: readonly Option[];
  picked: readonly string[];
  onPick: (picked: string[]) => void;
  single?: boolean;
  searchable?: boolean;
  freeText?: boolean;
}

/** A filter as a button that says what is picked. Picking again unpicks. */
export function PickMenu({ label, options, picked, onPick, ...rest }: PickMenuProps) {
  const all = withPicked(options, picked);
  const toggle = (value: string) => {
    const others = picked.filter((one) => one !== value);
    if (others.length < picked.length) return onPick(others);
    onPick(rest.single ? [value] : [...picked, value]);
  };
  const value = summary(all, picked);
  return (
    <PickList name={label} options={all} picked={picked} onToggle={toggle} {...rest}>
      {(open) => (
        <Button
          size="xs"
          variant="default"
          className={classes.button}
          data-picked={picked.length > 0 || undefined}
          rightSection={<IconChevronDown size={14} />}
          aria-label={value ? `${label} ${value}` : label}
          onClick={open}
        >
          {label}
          {value && <span className={classes.picked}>{value}</span>}
        </Button>
      )}
    </PickList>
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
