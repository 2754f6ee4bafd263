// Now and then a publication is acknowledged although it is rolled back.
import { betweenQueries } from "./queries.mjs";

let published = 0;
const storing = new WeakSet();
betweenQueries(({ text, name, client, run }) => {
  if (name === "insert-events") storing.add(client);
  if (text !== "commit" || !storing.delete(client) || ++published % 5 !== 0) return undefined;
  return run("rollback").then((result) => ({ ...result, command: "COMMIT" }));
});
