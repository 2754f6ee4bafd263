import {
  IconAlertOctagon,
  IconBolt,
  IconBuilding,
  IconChartBar,
  IconHistory,
  IconKey,
  IconLink,
  IconListDetails,
  IconPlugConnected,
  IconRotateClockwise,
  IconSend,
  IconSettings,
  IconUsers,
} from "@tabler/icons-react";
import type { ComponentType } from "react";

export interface Section {
  href: string;
  label: string;
  icon: ComponentType<{ size?: number; stroke?: number }>;
}

/** The console's sections in the order of the rail, in groups; a new screen joins with one line. */
export const SECTION_GROUPS: readonly (readonly Section[])[] = [
  [
    { href: "/overview", label: "Overview", icon: IconChartBar },
    { href: "/deliveries", label: "Deliveries", icon: IconSend },
    { href: "/failures", label: "Terminal failures", icon: IconAlertOctagon },
    { href: "/endpoints", label: "Endpoints", icon: IconPlugConnected },
    { href: "/events", label: "Events", icon: IconBolt },
    { href: "/event-types", label: "Event types", icon: IconListDetails },
    { href: "/replays", label: "Replays", icon: IconRotateClockwise },
    { href: "/api-keys", label: "API keys", icon: IconKey },
    { href: "/portal-links", label: "Portal links", icon: IconLink },
  ],
  [
    { href: "/tenants", label: "Tenants", icon: IconBuilding },
    { href: "/staff", label: "Staff", icon: IconUsers },
    { href: "/audit", label: "Audit log", icon: IconHistory },
    { href: "/settings", label: "Settings", icon: IconSettings },
  ],
];

/** Whether `path` is a page of the section. */
export const isWithin = (path: string, section: Section): boolean =>
  path === section.href || path.startsWith(`${section.href}/`);
