import { IconSend } from "@tabler/icons-react";
import type { ComponentType } from "react";

export interface Section {
  href: string;
  label: string;
  icon: ComponentType<{ size?: number; stroke?: number }>;
}

/** The console's sections in the order of the rail; a new screen joins with one line. */
export const SECTIONS: readonly Section[] = [{ href: "/deliveries", label: "Deliveries", icon: IconSend }];

/** Whether `path` is a page of the section. */
export const isWithin = (path: string, section: Section): boolean =>
  path === section.href || path.startsWith(`${section.href}/`);
