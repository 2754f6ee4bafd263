import { createServer } from "node:http";

// What publishing over HTTP is measured against: a server that reads a body, parses it as JSON and answers.
const server = createServer((request, response) => {
  const parts: Buffer[] = [];
  request.on("data", (part: Buffer) => parts.push(part));
  request.on("end", () => {
    const { type } = JSON.parse(Buffer.concat(parts).toString("utf8")) as { type?: string };
    const text = JSON.stringify({ type });
    response.writeHead(201, {
      "content-type": "application/json",
      "content-length": String(Buffer.byteLength(text)),
    });
    response.end(text);
  });
});
server.keepAliveTimeout = 60_000;
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  if (address && typeof address === "object") process.send?.({ port: address.port });
});
process.on("disconnect", () => process.exit());
