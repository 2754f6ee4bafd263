// Nobody looks for workers that have vanished.
import { betweenQueries } from "./queries.mjs";

betweenQueries(({ name, text, run }) => (name === "list-gone" ? run(`${text} and false`) : undefined));
