import manifest from "#package.json" with { type: "json" };

/** Of Posthorn, as `package.json` has it. */
export const VERSION: string = manifest.version;
