import type { HotkeyName } from "#client/hotkeys.ts";
import { jumpFor } from "#client/jump.ts";
import type { PageAction } from "#client/page-actions.ts";
import { withTenant } from "#client/use-tenant.ts";
import type { Tenant } from "#contracts/tenants.ts";
import type { Section } from "../shell/navigation.ts";

/** One line of the palette. */
export interface Command {
  key: string;
  group: "Go to" | "On this page" | "Sections" | "Tenants" | "Help";
  label: string;
  hotkey?: HotkeyName | undefined;
  run: () => void;
}

/** What there is to go to. */
export interface Places {
  sections: readonly Section[];
  /** Those that one may change to; none where there is but one. */
  tenants: readonly Tenant[];
  href: (path: string) => string;
}

interface Surroundings extends Places {
  actions: readonly PageAction[];
  go: (path: string) => void;
  showKeys: () => void;
}

/** What the palette offers for a text, best first. A pasted id leads to its thing. */
export function commandsFor(text: string, around: Surroundings): Command[] {
  const { sections, tenants, href, actions, go, showKeys } = around;
  const within = (path: string) => go(href(path));
  const wanted = text.trim().toLowerCase();
  const found = jumpFor(text);
  const jump = found?.path === null && tenants.length === 0 ? null : found;
  const jumps: Command[] = jump
    ? [
        {
          ...{ key: jump.id, group: "Go to", label: `Open ${jump.kind} ${jump.id}` },
          run: () => (jump.path === null ? go(withTenant("/overview", jump.id)) : within(jump.path)),
        },
      ]
    : [];
  const others: Command[] = [
    ...actions.map(({ label, hotkey, run }) => ({
      ...{ key: `action ${label}`, group: "On this page" as const, label, hotkey, run },
    })),
    ...sections.map(({ href, label }) => ({
      ...{ key: href, group: "Sections" as const, label },
      run: () => within(href),
    })),
    ...tenants.map(({ id, name }) => ({
      ...{ key: id, group: "Tenants" as const, label: `Switch to ${name}` },
      run: () => go(withTenant("/overview", id)),
    })),
    { key: "keys", group: "Help", label: "Show all keys", hotkey: "help", run: showKeys },
  ];
  const words = wanted.split(/\s+/);
  const fitting = others.filter(({ label, group }) =>
    words.every((word) => `${group} ${label}`.toLowerCase().includes(word)),
  );
  const search: Command[] =
    wanted !== "" && !jump
      ? [
          {
            ...{ key: "search", group: "Go to", label: `Find “${text.trim()}” in deliveries` },
            run: () => within(`/deliveries?q=${encodeURIComponent(text.trim().slice(0, 200))}`),
          },
        ]
      : [];
  return [...jumps, ...fitting, ...search];
}
