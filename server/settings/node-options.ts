import options from "./node-options.json" with { type: "json" };

/**
 * What Node is told when it starts a program of this project, by the file of the program. The web process gets a larger young
 * generation: what requests leave behind is dead before it is looked at, and is not copied about.
 */
export const nodeOptionsOf = (file: string): readonly string[] =>
  (options as Readonly<Record<string, readonly string[]>>)[file] ?? [];
