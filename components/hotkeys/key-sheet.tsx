"use client";

import { Modal, Text, Title } from "@mantine/core";
import { HOTKEYS, type HotkeyName } from "#client/hotkeys.ts";
import classes from "./key-sheet.module.css";
import { Keys } from "./keys.tsx";

const GROUPS = Map.groupBy(Object.keys(HOTKEYS) as HotkeyName[], (name) => HOTKEYS[name].group);

/** All keys there are, by where they work. */
export function KeySheet({ onClose }: { onClose: () => void }) {
  return (
    <Modal opened onClose={onClose} title="Keys" size="lg">
      <div className={classes.groups}>
        {[...GROUPS].map(([group, names]) => (
          <section key={group}>
            <Title order={3} mb={4}>
              {group}
            </Title>
            <dl className={classes.list}>
              {names.map((name) => (
                <div key={name} className={classes.key}>
                  <dt>
                    <Keys of={name} />
                  </dt>
                  <dd>{HOTKEYS[name].does}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
      <Text size="xs" c="dimmed" mt="md">
        Keys rest while you type. In a field, Esc leaves it.
      </Text>
    </Modal>
  );
}
