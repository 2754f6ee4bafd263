// For the other modules of this folder, which processes load before anything else: stands between them and PostgreSQL.
import pg from "pg";

const ask = pg.Client.prototype.query;

/**
 * Has every query that begins where a promise is awaited go through `plant`: it gets the query as text and name, the
 * client, and a function that runs the query, or another text in its place; what it gives is the result.
 */
export function betweenQueries(plant) {
  pg.Client.prototype.query = function query(config, ...rest) {
    const isText = typeof config === "string";
    const text = isText ? config : config?.text;
    const last = rest.at(-1);
    if (typeof text !== "string" || typeof config?.submit === "function")
      return ask.call(this, config, ...rest);
    const run = (other = text) => {
      const params = typeof last === "function" ? rest.slice(0, -1) : rest;
      return ask.call(this, isText ? other : { ...config, text: other }, ...params);
    };
    const planted = plant({ text, name: isText ? undefined : config.name, client: this, run }) ?? run();
    if (typeof last !== "function") return planted;
    planted.then(
      (result) => last(null, result),
      (error) => last(error),
    );
    return undefined;
  };
}
