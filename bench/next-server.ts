import { createServer } from "node:http";
import { openConsole } from "#web/console.ts";

// Next alone, as it would serve the API by its own route handlers, without the web process that answers ahead of it.
const { handle } = await openConsole();
const server = createServer((request, response) => void handle(request, response));
server.keepAliveTimeout = 60_000;
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  if (address && typeof address === "object") process.send?.({ port: address.port });
});
process.on("disconnect", () => process.exit());
