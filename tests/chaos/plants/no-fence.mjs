// A result counts whoever has the delivery by now, and whatever has become of it.
import { betweenQueries } from "./queries.mjs";

betweenQueries(({ text, name, run }) =>
  name === "settle-deliveries"
    ? run(
        text.replace(
          /where d\.status in \('pending', 'cancelled'\) and d\.attempts = excluded\.attempts - 1/,
          "",
        ),
      )
    : undefined,
);
