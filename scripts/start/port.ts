import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { StartError } from "./report.ts";

/** The port to listen on: `wanted` when it is free, any free one for 0. Throws a StartError that says what to do. */
export async function choosePort(host: string, wanted: number): Promise<number> {
  const server = createServer();
  try {
    server.listen(wanted, host);
    await once(server, "listening");
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code === "EADDRINUSE")
      throw new StartError(
        `Port ${wanted} is taken. Stop what uses it, or choose another: PORT=3001 npm start`,
      );
    if (code === "EACCES")
      throw new StartError(`Port ${wanted} needs more rights. Choose one above 1023: PORT=3000 npm start`);
    if (code === "EADDRNOTAVAIL" || code === "ENOTFOUND")
      throw new StartError(`HOST=${host} is no address of this machine.`);
    throw error;
  }
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}
