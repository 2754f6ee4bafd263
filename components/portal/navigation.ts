import {
  IconAlertOctagon,
  IconBolt,
  IconChartBar,
  IconListDetails,
  IconPlugConnected,
  IconRotateClockwise,
  IconSend,
} from "@tabler/icons-react";
import type { Section } from "../shell/navigation.ts";

/** What a consumer sees, in the order of the navigation: what is theirs to mend first. */
export const PORTAL_SECTIONS: readonly Section[] = [
  { href: "/", label: "Overview", icon: IconChartBar },
  { href: "/endpoints", label: "Endpoints", icon: IconPlugConnected },
  { href: "/deliveries", label: "Deliveries", icon: IconSend },
  { href: "/failures", label: "Failures", icon: IconAlertOctagon },
  { href: "/replays", label: "Replays", icon: IconRotateClockwise },
  { href: "/events", label: "Events", icon: IconBolt },
  { href: "/event-types", label: "Event types", icon: IconListDetails },
];
