import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";

/** A TCP port of 127.0.0.1 that is free now: `preferred` when that is, else one that the system chooses. */
export async function choosePort(preferred: number | undefined): Promise<number> {
  if (preferred && (await isPortFree(preferred))) return preferred;
  return listenOnce(0);
}

export function isPortFree(port: number): Promise<boolean> {
  return listenOnce(port).then(
    () => true,
    () => false,
  );
}

async function listenOnce(port: number): Promise<number> {
  const server = createServer().listen(port, "127.0.0.1");
  await once(server, "listening");
  const { port: bound } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return bound;
}
