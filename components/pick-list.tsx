"use client";

import { Combobox, useCombobox } from "@mantine/core";
import { IconCheck } from "@tabler/icons-react";
import { type ReactElement, type ReactNode, useState } from "react";
import classes from "./pick-list.module.css";

export interface Option {
  value: string;
  label: ReactNode;
  /** What the search within the list looks at. */
  text: string;
}

interface PickListProps {
  /** Names the list for people who hear it, such as `Status`. */
  name: string;
  options: readonly Option[];
  picked: readonly string[];
  onToggle: (value: string) => void;
  /** One at most is picked; picking closes the list. */
  single?: boolean;
  searchable?: boolean;
  /** Whether a text that is no option may be picked too. */
  freeText?: boolean;
  /** The button that opens the list, given the way to do so. */
  children: (toggle: () => void) => ReactElement;
}

/** A list of options under a button, to pick one or several of; with a search field when it may be long. */
export function PickList(props: PickListProps) {
  const { name, options, picked, onToggle, single = false, searchable = false, freeText = false } = props;
  const [search, setSearch] = useState("");
  const combobox = useCombobox({
    onDropdownOpen: () => {
      if (searchable) combobox.focusSearchInput();
      combobox.updateSelectedOptionIndex("active");
    },
    onDropdownClose: () => {
      combobox.resetSelectedOption();
      // Focus goes back to the button from the search field that vanishes.
      if (searchable && search !== "") setSearch("");
      combobox.focusTarget();
    },
  });
  const wanted = search.trim();
  const found = options.filter(({ text }) => text.toLowerCase().includes(wanted.toLowerCase()));
  const isNew = freeText && wanted !== "" && !options.some((option) => option.value === wanted);
  const submit = (value: string) => {
    onToggle(value);
    if (single) combobox.closeDropdown();
  };
  return (
    <Combobox store={combobox} width={280} position="bottom-start" onOptionSubmit={submit}>
      <Combobox.Target targetType="button" withExpandedAttribute>
        {props.children(() => combobox.toggleDropdown())}
      </Combobox.Target>
      <Combobox.Dropdown>
        {searchable && (
          <Combobox.Search
            aria-label={`Find in ${name}`}
            placeholder="Find…"
            value={search}
            onChange={(event) => {
              setSearch(event.currentTarget.value);
              combobox.updateSelectedOptionIndex();
            }}
          />
        )}
        <Combobox.Options className={classes.options} aria-label={name} aria-multiselectable={!single}>
          {found.map(({ value, label }) => (
            <Combobox.Option
              key={value}
              value={value}
              active={picked.includes(value)}
              aria-selected={picked.includes(value)}
              className={classes.option}
            >
              <IconCheck
                size={15}
                className={classes.check}
                data-picked={picked.includes(value) || undefined}
              />
              <span className={classes.label}>{label}</span>
            </Combobox.Option>
          ))}
          {isNew && (
            <Combobox.Option value={wanted} aria-selected={false}>
              Use “{wanted}”
            </Combobox.Option>
          )}
        </Combobox.Options>
        {found.length === 0 && !isNew && <p className={classes.nothing}>Nothing found</p>}
      </Combobox.Dropdown>
    </Combobox>
  );
}
