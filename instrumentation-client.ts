import { config } from "zod/v4/core";

// Before any schema is made: zod would try whether it may make functions of text, which the pages' policy forbids and
// browsers would report on every page.
config({ jitless: true });
