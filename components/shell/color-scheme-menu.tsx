"use client";

import { ActionIcon, type MantineColorScheme, Menu, useMantineColorScheme } from "@mantine/core";
import { IconDeviceDesktop, IconMoon, IconSun } from "@tabler/icons-react";
import { useHydrated } from "#client/use-hydrated.ts";

const SCHEMES = {
  light: { label: "Light", Icon: IconSun },
  dark: { label: "Dark", Icon: IconMoon },
  auto: { label: "Like the system", Icon: IconDeviceDesktop },
} as const;

/** Light, dark, or whatever the system says; remembered by the browser. */
export function ColorSchemeMenu() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const shown = useHydrated() ? colorScheme : "auto";
  const { Icon } = SCHEMES[shown];
  return (
    <Menu width={190}>
      <Menu.Target>
        <ActionIcon
          size={30}
          variant="default"
          aria-label={`Colours: ${SCHEMES[shown].label}`}
          title="Colours"
        >
          <Icon size={16} stroke={1.7} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>Colours</Menu.Label>
        <Menu.RadioGroup value={shown} onChange={(scheme) => setColorScheme(scheme as MantineColorScheme)}>
          {Object.entries(SCHEMES).map(([scheme, { label }]) => (
            <Menu.RadioItem key={scheme} value={scheme} closeMenuOnClick>
              {label}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
      </Menu.Dropdown>
    </Menu>
  );
}
