// What waits behind the failed head of an ordered endpoint's queue goes before it.
import { betweenQueries } from "./queries.mjs";

betweenQueries(({ name, run }) =>
  name === "look-at-ordered"
    ? run().then((result) => {
        const pending = result.rows.filter((row) => row.isPending);
        if (pending.length > 1 && pending[0].isEarly) result.rows.splice(result.rows.indexOf(pending[0]), 1);
        return result;
      })
    : undefined,
);
