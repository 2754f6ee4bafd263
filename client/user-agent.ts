const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/\bEdg\//, "Edge"],
  [/\bFirefox\//, "Firefox"],
  [/\bHeadlessChrome\//, "Chrome without a window"],
  [/\bChrome\//, "Chrome"],
  [/\bSafari\//, "Safari"],
  [/^curl\//, "curl"],
];
const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/\bAndroid\b/, "Android"],
  [/\b(?:iPhone|iPad)\b/, "iOS"],
  [/\bWindows\b/, "Windows"],
  [/\bMac OS X\b/, "macOS"],
  [/\bLinux\b/, "Linux"],
];

/** A browser in two words, such as `Firefox on Linux`; the beginning of what it says when it is none that is known. */
export function describeAgent(agent: string | null): string {
  if (!agent) return "Unknown program";
  const named = (list: typeof BROWSERS) => list.find(([pattern]) => pattern.test(agent))?.[1];
  const browser = named(BROWSERS);
  if (!browser) return agent.length > 40 ? `${agent.slice(0, 40)}…` : agent;
  const system = named(SYSTEMS);
  return system ? `${browser} on ${system}` : browser;
}
