import { createServer } from "node:http";

// A receiver of the benchmarks, a process of its own. The endpoints /0 to /n-1, n being the argument, take every request
// and never answer; the others answer at once. Asked, it tells how many requests the others have had, and how long after
// the timestamp of its event each has come since it was last asked.
const hanging = Number(process.argv[2] ?? 0);
const TIMESTAMP = /"timestamp":"([^"]+)"/;
let count = 0;
let latencies: number[] = [];
const server = createServer((request, response) => {
  if (Number(request.url?.slice(1)) < hanging) return void request.resume();
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => {
    const at = Date.parse(TIMESTAMP.exec(Buffer.concat(chunks).toString("latin1"))?.[1] ?? "");
    latencies.push(performance.timeOrigin + performance.now() - at);
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
process.on("message", () => {
  process.send?.({ count, latencies });
  latencies = [];
});
process.on("disconnect", () => process.exit());
