"use client";

import { ActionIcon, Menu, Text } from "@mantine/core";
import { IconBook, IconLogout, IconUserCircle } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import Link from "next/link";
import { type Session, signOut } from "#client/session.ts";
import type { Role } from "#contracts/scopes.ts";
import { ProblemAlert } from "../problem-alert.tsx";
import classes from "./user-menu.module.css";

const ROLE_HELP: Record<Role, string> = {
  viewer: "may look at everything",
  support: "may look, and replay deliveries",
  operator: "may replay, and change endpoints and secrets",
  admin: "may do everything",
};

/** Who is signed in, what they may do, the API reference, and the way out. */
export function UserMenu({ user }: { user: Session["user"] }) {
  // The page is left behind with everything that it has read.
  const leave = useMutation({ mutationFn: signOut, onSuccess: () => window.location.assign("/sign-in") });
  return (
    <Menu width={260}>
      <Menu.Target>
        <ActionIcon size={30} variant="default" aria-label={`Account: ${user.email}`} title={user.email}>
          <span className={classes.initial}>{user.email.charAt(0).toUpperCase()}</span>
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <div className={classes.who}>
          <Text size="sm" fw={600} truncate>
            {user.email}
          </Text>
          <Text size="xs" c="dimmed">
            Role {user.role}: {ROLE_HELP[user.role]}
          </Text>
        </div>
        <Menu.Divider />
        <Menu.Item
          component={Link}
          href="/settings?tab=account"
          leftSection={<IconUserCircle size={16} stroke={1.7} />}
        >
          Password and sessions
        </Menu.Item>
        <Menu.Item component="a" href="/docs" leftSection={<IconBook size={16} stroke={1.7} />}>
          API reference
        </Menu.Item>
        <Menu.Item
          leftSection={<IconLogout size={16} stroke={1.7} />}
          closeMenuOnClick={false}
          disabled={leave.isPending}
          onClick={() => leave.mutate()}
        >
          Sign out
        </Menu.Item>
        {leave.error && <ProblemAlert error={leave.error} />}
      </Menu.Dropdown>
    </Menu>
  );
}
