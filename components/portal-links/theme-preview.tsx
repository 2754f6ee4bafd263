"use client";

import { Text } from "@mantine/core";
import { shadesOf } from "#client/accent.ts";
import classes from "./portal-links.module.css";

const CONSOLE_BLUE = "#3557c9";

const SCHEMES = [
  { name: "light", ground: "#ffffff", text: "#18181b", link: 7 },
  { name: "dark", ground: "#131317", text: "#c8c8d0", link: 3 },
] as const;

interface ThemePreviewProps {
  name: string;
  /** `#rrggbb`; `null` for the console's own. */
  accent: string | null;
  logo: string;
}

/** What the theme comes to in both schemes, and where a colour had to give way to be readable. */
export function ThemePreview({ name, accent, logo }: ThemePreviewProps) {
  const shades = shadesOf(accent ?? CONSOLE_BLUE);
  const isKept = accent === null || shades[7] === accent.toLowerCase();
  return (
    <div className={classes.preview}>
      {SCHEMES.map(({ name: scheme, ground, text, link }) => (
        <div
          key={scheme}
          className={classes.sample}
          style={{ background: ground, color: text, borderTopColor: accent ?? shades[7] }}
          role="img"
          aria-label={`The portal in the ${scheme} scheme`}
        >
          <div className={classes.brand}>
            {logo !== "" && (
              // biome-ignore lint/performance/noImgElement: it is a data: URL, which nothing can make smaller.
              <img src={logo} alt="" className={classes.logo} />
            )}
            <span>{name.trim() || "Name of the tenant"}</span>
          </div>
          <div className={classes.row}>
            <span className={classes.button} style={{ background: shades[7] }}>
              Button
            </span>
            <span style={{ color: shades[link] }}>Link</span>
          </div>
        </div>
      ))}
      <Text size="xs" c="dimmed">
        {isKept
          ? "Buttons and links in a light and in a dark browser."
          : `Nothing could be read on ${accent}, so buttons take ${shades[7]}, the nearest that can be.`}
      </Text>
    </div>
  );
}
