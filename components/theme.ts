import { type CSSVariablesResolver, createTheme, type MantineColorsTuple } from "@mantine/core";
import { shadesOf } from "#client/accent.ts";

/** Ink blue: the colour of what can be pressed. */
const ink: MantineColorsTuple = [
  "#eef3ff",
  "#dbe5ff",
  "#b7caff",
  "#8eabff",
  "#6b8ffb",
  "#5279f2",
  "#4167e3",
  "#3557c9",
  "#2f4cb3",
  "#263d8f",
];

/** Cool greys that carry text at 4.5:1 and more from the sixth shade on. */
const gray: MantineColorsTuple = [
  "#fafafb",
  "#f4f4f6",
  "#e9e9ed",
  "#dddde3",
  "#c9c9d2",
  "#8a8a97",
  "#5f5f6b",
  "#484853",
  "#303038",
  "#1b1b20",
];

const dark: MantineColorsTuple = [
  "#e6e6eb",
  "#c8c8d0",
  "#a3a3af",
  "#8f8f9c",
  "#35353e",
  "#27272e",
  "#1d1d23",
  "#131317",
  "#0e0e11",
  "#09090b",
];

const close = { closeButtonProps: { "aria-label": "Close" } };

/** One look for all pages. Plain objects in `components`: `.extend` would pull every component into every page. */
export const theme = createTheme({
  primaryColor: "ink",
  primaryShade: { light: 7, dark: 7 },
  colors: { ink, gray, dark },
  black: "#18181b",
  respectReducedMotion: true,
  autoContrast: true,
  luminanceThreshold: 0.18,
  defaultRadius: "sm",
  radius: { xs: "3px", sm: "6px", md: "8px" },
  fontFamily: "Inter, ui-sans-serif, system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif",
  fontFamilyMonospace: "ui-monospace, 'SF Mono', SFMono-Regular, Menlo, Consolas, monospace",
  fontSizes: { xs: "0.75rem", sm: "0.8125rem", md: "0.875rem", lg: "1rem", xl: "1.125rem" },
  headings: {
    fontWeight: "600",
    sizes: {
      h1: { fontSize: "1.25rem", lineHeight: "1.4" },
      h2: { fontSize: "1rem", lineHeight: "1.4" },
      h3: { fontSize: "0.875rem", lineHeight: "1.4" },
    },
  },
  components: {
    Drawer: { defaultProps: close },
    Modal: { defaultProps: close },
    Notification: { defaultProps: { closeButtonProps: { "aria-label": "Dismiss" } } },
    Tooltip: { defaultProps: { withArrow: true, openDelay: 300, multiline: true } },
    // Beside their button, so that they lie within its landmark; the placeholder for focus is no item of a menu.
    Menu: {
      defaultProps: {
        shadow: "md",
        position: "bottom-end",
        withinPortal: false,
        withInitialFocusPlaceholder: false,
      },
    },
    Combobox: { defaultProps: { shadow: "md", withinPortal: false } },
    InputWrapper: { styles: { label: { marginBottom: "0.25rem" } } },
  },
});

/** The look with another colour, `#rrggbb`, of what can be pressed, in a shade that can be read. */
export const themeOf = (accent: string): typeof theme => ({
  ...theme,
  colors: { ...theme.colors, ink: shadesOf(accent) },
});

/** Variables that the theme has no name for; those of ours begin with `--ph-`. */
export const variables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    "--mantine-color-error": "var(--mantine-color-red-9)",
    "--mantine-color-placeholder": "var(--mantine-color-gray-6)",
    "--mantine-color-default-border": "var(--mantine-color-gray-3)",
    "--mantine-color-anchor": "var(--mantine-color-ink-7)",
    "--ph-surface": "#ffffff",
    "--ph-sunken": "var(--mantine-color-gray-0)",
    "--ph-hover": "var(--mantine-color-gray-1)",
    "--ph-line": "var(--mantine-color-gray-2)",
    "--ph-brass": "#b7791f",
    "--ph-good": "#15803d",
    "--ph-bad": "#c3202f",
    "--ph-wait": "#9a5200",
    "--ph-busy": "#1d5fd6",
    "--ph-idle": "#5f5f6b",
  },
  dark: {
    "--mantine-color-error": "var(--mantine-color-red-4)",
    "--mantine-color-placeholder": "var(--mantine-color-dark-2)",
    "--mantine-color-default-border": "var(--mantine-color-dark-4)",
    "--mantine-color-anchor": "var(--mantine-color-ink-3)",
    "--ph-surface": "var(--mantine-color-dark-7)",
    "--ph-sunken": "var(--mantine-color-dark-8)",
    "--ph-hover": "var(--mantine-color-dark-6)",
    "--ph-line": "var(--mantine-color-dark-5)",
    "--ph-brass": "#e0a83e",
    "--ph-good": "#4ade80",
    "--ph-bad": "#ff7b7b",
    "--ph-wait": "#f5b544",
    "--ph-busy": "#7fb0ff",
    "--ph-idle": "#a3a3af",
  },
});
