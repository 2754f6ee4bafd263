"use client";

import { Group, Text } from "@mantine/core";
import Link from "next/link";
import { usePathname } from "next/navigation";
import { type ReactNode, useEffect, useRef } from "react";
import { localMoment, utcMoment } from "#client/format.ts";
import { accessInWords } from "#client/portal.ts";
import type { Portal } from "#contracts/portal-links.ts";
import { Hotkeys } from "../hotkeys/hotkeys.tsx";
import { LiveMenu } from "../shell/live-menu.tsx";
import { SkipLink } from "../skip-link.tsx";
import { Until } from "../time.tsx";
import { useWorkspace } from "../workspace-context.tsx";
import { EndedBanner } from "./link-ended.tsx";
import { PORTAL_SECTIONS } from "./navigation.ts";
import classes from "./portal-frame.module.css";

const MAIN_ID = "main";

interface PortalFrameProps {
  portal: Portal;
  hasEnded: boolean;
  children: ReactNode;
}

/** What stands around every page of a portal: whose it is, where one can go, and how long the link works. */
export function PortalFrame({ portal, hasEnded, children }: PortalFrameProps) {
  const { href } = useWorkspace();
  const name = portal.theme.name ?? portal.tenant.name;
  return (
    <div className={classes.frame}>
      <SkipLink target={MAIN_ID} />
      <header
        className={classes.header}
        style={portal.theme.accent_color ? { borderTopColor: portal.theme.accent_color } : undefined}
      >
        <div className={classes.bar}>
          <Link href={href("/")} className={classes.brand}>
            {portal.theme.logo_url && (
              // biome-ignore lint/performance/noImgElement: it is a data: URL, which nothing can make smaller.
              <img src={portal.theme.logo_url} alt="" className={classes.logo} />
            )}
            <Text fw={650} size="lg" component="span" className={classes.name}>
              {name}
            </Text>
          </Link>
          <Group gap={6} wrap="nowrap" ml="auto">
            <Hotkeys sections={PORTAL_SECTIONS} tenants={[]} href={href} />
            <LiveMenu />
          </Group>
        </div>
        <PortalNav />
      </header>
      <main id={MAIN_ID} tabIndex={-1} className={classes.page}>
        {hasEnded && <EndedBanner />}
        {children}
      </main>
      <footer className={classes.foot}>
        <span>
          This link works until{" "}
          <time dateTime={portal.expires_at} title={utcMoment(portal.expires_at)}>
            {localMoment(portal.expires_at)}
          </time>{" "}
          (<Until at={portal.expires_at} />
          ).
        </span>
        <span>
          {portal.access.length === 0
            ? "It lets you look only."
            : `Beyond looking, it allows: ${accessInWords(portal.access)}.`}{" "}
          Keep it to yourself.
        </span>
      </footer>
    </div>
  );
}

function PortalNav() {
  const { href } = useWorkspace();
  const path = usePathname();
  const nav = useRef<HTMLElement>(null);
  // On a telephone not all of them have room beside each other.
  // biome-ignore lint/correctness/useExhaustiveDependencies: with every page another one is current.
  useEffect(() => {
    nav.current?.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest", inline: "center" });
  }, [path]);
  return (
    <nav ref={nav} aria-label="Sections" className={classes.nav}>
      <ul className={classes.sections}>
        {PORTAL_SECTIONS.map((section) => {
          const at = href(section.href);
          const isHere = path === at || (section.href !== "/" && path.startsWith(`${at}/`));
          return (
            <li key={section.href}>
              <Link
                href={at}
                prefetch={false}
                aria-current={isHere ? "page" : undefined}
                className={classes.section}
              >
                <section.icon size={16} stroke={1.7} />
                {section.label}
              </Link>
            </li>
          );
        })}
      </ul>
    </nav>
  );
}
