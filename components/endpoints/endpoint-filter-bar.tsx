"use client";

import { Button, CloseButton, TextInput } from "@mantine/core";
import { IconSearch } from "@tabler/icons-react";
import { useRef } from "react";
import type { EndpointFilters } from "#client/endpoint-filters.ts";
import { ENDPOINT_STATES, type EndpointState } from "#client/endpoint-state.ts";
import { useShortcut } from "#client/use-shortcut.ts";
import type { Option } from "../pick-list.tsx";
import { PickMenu } from "../pick-menu.tsx";
import classes from "./endpoint-list.module.css";
import { ENDPOINT_STATE, EndpointStateMark } from "./endpoint-state-mark.tsx";

interface EndpointFilterBarProps {
  filters: EndpointFilters;
  onChange: (some: Partial<EndpointFilters>) => void;
  onClear: () => void;
}

/** What narrows the list of endpoints. The address holds it all. */
export function EndpointFilterBar({ filters, onChange, onClear }: EndpointFilterBarProps) {
  const input = useRef<HTMLInputElement>(null);
  useShortcut("search", () => input.current?.focus());
  return (
    // biome-ignore lint/a11y/useSemanticElements: `search` is not known to the type definitions of all engines.
    <div className={classes.bar} role="search" aria-label="Filter endpoints">
      <TextInput
        ref={input}
        className={classes.search}
        size="xs"
        aria-label="Search in URLs"
        placeholder="Find in URLs"
        autoComplete="off"
        spellCheck={false}
        leftSection={<IconSearch size={15} />}
        rightSection={
          filters.q && (
            <CloseButton size="xs" aria-label="Clear the search" onClick={() => onChange({ q: "" })} />
          )
        }
        value={filters.q}
        onChange={(event) => onChange({ q: event.currentTarget.value })}
      />
      <PickMenu
        label="Status"
        options={OPTIONS}
        picked={filters.status}
        onPick={(status) => onChange({ status: status as EndpointState[] })}
      />
      {(filters.q !== "" || filters.status.length > 0) && (
        <Button size="xs" variant="subtle" color="gray" onClick={onClear}>
          Clear
        </Button>
      )}
    </div>
  );
}

const OPTIONS: Option[] = ENDPOINT_STATES.map((state) => ({
  value: state,
  label: <EndpointStateMark state={state} />,
  text: ENDPOINT_STATE[state].label,
}));
