// Nobody looks for workers that have vanished.
import { betweenQueries } from "./queries.mjs";

betweenQueries(({ text, run }) =>
  text === "select distinct worker from claims" ? run("select 1 as worker where false") : undefined,
);
