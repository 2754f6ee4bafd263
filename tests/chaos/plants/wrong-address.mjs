// What a worker knows of endpoints gets mixed up: deliveries go to another tenant's address.
import { betweenQueries } from "./queries.mjs";

const seen = [];
betweenQueries(({ name, run }) =>
  name === "get-target"
    ? run().then((result) => {
        const [target] = result.rows;
        if (!target?.url.endsWith("/steady")) return result;
        seen.push(target.url);
        target.url = seen[0];
        return result;
      })
    : undefined,
);
