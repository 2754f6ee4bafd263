"use client";

import { ActionIcon, Button, Group, Menu, TextInput } from "@mantine/core";
import { IconBookmark, IconTrash } from "@tabler/icons-react";
import { type FormEvent, useState } from "react";
import { type Filters, isFiltered } from "#client/delivery-filters.ts";
import { isSameFilters, MAX_VIEW_NAME, PRESETS, useSavedViews, type View } from "#client/saved-views.ts";
import { useAnnounce } from "../announcer.tsx";
import { useWorkspace } from "../workspace-context.tsx";
import classes from "./view-menu.module.css";

/** Named filters: those everybody looks for, and those saved in this browser. */
export function ViewMenu({ filters, onChoose }: { filters: Filters; onChoose: (filters: Filters) => void }) {
  const { tenantId } = useWorkspace();
  const { views, save, remove } = useSavedViews(tenantId);
  const current = [...views, ...PRESETS].find((view) => isSameFilters(view.filters, filters));
  return (
    <Menu width={270} position="bottom-start" closeOnItemClick>
      <Menu.Target>
        <Button
          size="xs"
          variant="default"
          leftSection={<IconBookmark size={14} />}
          aria-label={current ? `View: ${current.name}` : "Views"}
        >
          {current?.name ?? "Views"}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>Views</Menu.Label>
        {PRESETS.map((view) => (
          <Menu.Item key={view.name} onClick={() => onChoose(view.filters)}>
            {view.name}
          </Menu.Item>
        ))}
        {views.length > 0 && <Menu.Label>Saved in this browser</Menu.Label>}
        {views.map((view) => (
          <div key={view.name} className={classes.saved}>
            <Menu.Item className={classes.name} onClick={() => onChoose(view.filters)}>
              {view.name}
            </Menu.Item>
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={`Forget the view ${view.name}`}
              onClick={() => remove(view.name)}
            >
              <IconTrash size={14} />
            </ActionIcon>
          </div>
        ))}
        <Menu.Divider />
        <SaveForm filters={filters} onSave={save} />
      </Menu.Dropdown>
    </Menu>
  );
}

function SaveForm({ filters, onSave }: { filters: Filters; onSave: (view: View) => void }) {
  const announce = useAnnounce();
  const [name, setName] = useState("");
  const wanted = name.trim();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (wanted === "" || !isFiltered(filters)) return;
    onSave({ name: wanted, filters });
    setName("");
    announce(`Saved the view ${wanted}`);
  };
  if (!isFiltered(filters)) return <p className={classes.hint}>Filter the list to save it as a view.</p>;
  return (
    <form onSubmit={submit} className={classes.form}>
      <Group gap="xs" wrap="nowrap">
        <TextInput
          size="xs"
          aria-label="Name of the view"
          placeholder="Save these filters as…"
          maxLength={MAX_VIEW_NAME}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          // The menu looks for its items by the letters that are typed.
          onKeyDown={(event) => event.key !== "Escape" && event.stopPropagation()}
        />
        <Button type="submit" size="xs" disabled={wanted === ""}>
          Save
        </Button>
      </Group>
    </form>
  );
}
