/** Ten shades of one colour, lightest first, as the theme counts them. */
export type Shades = [string, string, string, string, string, string, string, string, string, string];

type Rgb = [red: number, green: number, blue: number];

const WHITE: Rgb = [255, 255, 255];
const BLACK: Rgb = [0, 0, 0];

/** Where an accent may lie, so that white is readable on it (5.6:1), it on light greys (4.5:1), and it stands out of the dark. */
const MOST = 0.135;
const LEAST = 0.05;

/** Relative luminances of the lighter shades; the fourth carries text in the dark scheme. */
const LIGHTER = [0.92, 0.82, 0.66, 0.47, 0.36, 0.27, 0.19] as const;

/** `#rrggbb` in numbers. */
function read(color: string): Rgb {
  const value = Number.parseInt(color.slice(1), 16);
  return [(value >> 16) & 255, (value >> 8) & 255, value & 255];
}

const write = (rgb: Rgb): string =>
  `#${rgb.map((part) => Math.round(part).toString(16).padStart(2, "0")).join("")}`;

/** WCAG 2.2, relative luminance. */
function luminance(rgb: Rgb): number {
  const [red, green, blue] = rgb.map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  }) as Rgb;
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** How well two colours, `#rrggbb`, can be told apart: 1 to 21. WCAG 2.2, contrast ratio. */
export function contrast(one: string, other: string): number {
  const [dark, light] = [luminance(read(one)), luminance(read(other))].sort((a, b) => a - b) as [
    number,
    number,
  ];
  return (light + 0.05) / (dark + 0.05);
}

const mix = (from: Rgb, to: Rgb, share: number): Rgb =>
  from.map((part, index) => part + ((to[index] ?? 0) - part) * share) as Rgb;

/** The colour with so much white or black in it that it has this luminance. */
function withLuminance(color: Rgb, wanted: number): Rgb {
  const isTooDark = luminance(color) < wanted;
  const end = isTooDark ? WHITE : BLACK;
  let [low, high] = [0, 1];
  for (let turn = 0; turn < 24; turn++) {
    const middle = (low + high) / 2;
    if (luminance(mix(color, end, middle)) < wanted === isTooDark) low = middle;
    else high = middle;
  }
  return mix(color, end, high);
}

/**
 * The shades of an accent colour, `#rrggbb`, in which text is readable wherever the theme puts it: the eighth is the
 * accent itself, or the nearest to it that is neither too light to read on nor lost in the dark scheme.
 */
export function shadesOf(accent: string): Shades {
  const rgb = read(accent);
  const base = withLuminance(rgb, Math.min(MOST, Math.max(LEAST, luminance(rgb))));
  const shade = (wanted: number) => write(withLuminance(rgb, wanted));
  const darker = (share: number) => write(withLuminance(base, luminance(base) * share));
  return [...LIGHTER.map(shade), write(base), darker(0.75), darker(0.55)] as Shades;
}
