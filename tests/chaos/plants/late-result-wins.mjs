// The result of a try that was given up as lost becomes that of its delivery, which has ended meanwhile.
import { betweenQueries } from "./queries.mjs";

betweenQueries(({ text, client, run }) =>
  text.trimStart().startsWith("update attempts a")
    ? run(`${text} returning a.delivery_id`).then(async (result) => {
        for (const { delivery_id } of result.rows)
          await client.query(
            "update deliveries set status = 'failed', failure_reason = 'worker_lost' where id = $1 and status <> 'pending'",
            [delivery_id],
          );
        return result;
      })
    : undefined,
);
