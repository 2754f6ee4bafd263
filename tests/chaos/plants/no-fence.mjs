// A result counts whoever has the delivery by now, and whatever has become of it.
import { betweenQueries } from "./queries.mjs";

const FENCE =
  /and d\.status \|\| '' not in \('delivered', 'failed', 'dismissed'\) and d\.attempts = r\.attempts - 1/;

betweenQueries(({ text, run }) => (FENCE.test(text) ? run(text.replace(FENCE, "")) : undefined));
