// Now and then a delivery is read twice, and sent twice.
import { betweenQueries } from "./queries.mjs";

let read = 0;
betweenQueries(({ name, run }) =>
  name === "list-due"
    ? run().then((result) => {
        const due = result.rows.find(({ sequence }) => sequence === null);
        if (due && ++read % 5 === 0) result.rows.push({ ...due });
        return result;
      })
    : undefined,
);
