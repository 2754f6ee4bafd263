import { createServer } from "node:http";

// The receiver of the benchmarks, a process of its own: reads each POST to its end, answers 200 and counts.
let count = 0;
const server = createServer((request, response) => {
  request.resume();
  request.on("end", () => {
    count++;
    response.writeHead(200, { "content-length": "2" });
    response.end("ok");
  });
});
server.keepAliveTimeout = 60_000;
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  if (address && typeof address === "object") process.send?.({ port: address.port });
});
process.on("message", () => process.send?.({ count }));
process.on("disconnect", () => process.exit());
