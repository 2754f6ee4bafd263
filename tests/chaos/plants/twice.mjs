// Now and then a delivery is read twice, and sent twice.
import { betweenQueries } from "./queries.mjs";

const LIST_WAITING = /from deliveries\w* d\s+where d\.tenant_id = c\.tenant_id and d\.id >= c\.id/;

let read = 0;
betweenQueries(({ text, run }) =>
  LIST_WAITING.test(text)
    ? run().then((result) => {
        const due = result.rows.find(({ ordered }) => !ordered);
        if (due && ++read % 5 === 0) result.rows.push({ ...due });
        return result;
      })
    : undefined,
);
