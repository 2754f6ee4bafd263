import { join } from "node:path";

/** Where Node keeps what it has stripped and compiled, for programs that tests start again and again. */
export const compileCache = {
  NODE_COMPILE_CACHE: join(import.meta.dirname, "..", "node_modules", ".cache", "compiled"),
};
