import options from "./node-options.json" with { type: "json" };

/**
 * What Node is told when it starts a program of this project, by the file of the program. The web process gets a larger young
 * generation: what requests leave behind is dead before it is looked at, and is not copied about. What a worker holds is
 * bounded and what it has held becomes garbage within a second: its heap may triple before all of it is looked at. More would
 * take memory on a machine that has much, less would have it look four times a second.
 */
export const nodeOptionsOf = (file: string): readonly string[] =>
  (options as Readonly<Record<string, readonly string[]>>)[file] ?? [];
