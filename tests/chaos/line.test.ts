import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { eventually } from "#tests/eventually.ts";
import { Line } from "./line.ts";

/** A line to a server that sends back what it gets, and what there is at either end. */
async function openLine() {
  const accepted: Socket[] = [];
  const server = createServer((socket) => {
    accepted.push(socket);
    socket.on("error", () => {}).pipe(socket);
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const line = await Line.open(() => (server.address() as AddressInfo).port);
  onTestFinished(() => {
    line.close();
    server.close();
  });
  const dial = () => {
    const socket = connect(line.port, "127.0.0.1");
    const end = { socket, heard: "" };
    socket.on("error", () => {});
    socket.on("data", (chunk) => {
      end.heard += chunk;
    });
    return end;
  };
  return { line, accepted, dial };
}

it("passes on what is said, in its order, and that one end has gone", async () => {
  const { line, accepted, dial } = await openLine();
  const end = dial();
  for (let i = 0; i < 100; i++) end.socket.write(`${i} `);
  await eventually(() => expect(end.heard).toBe(Array.from({ length: 100 }, (_, i) => `${i} `).join("")));
  end.socket.end();
  await eventually(() => expect(accepted[0]?.destroyed).toBe(true));
  await eventually(() => expect(line.connections).toBe(0));
});

it("passes nothing on while it is stopped up, not even that an end has gone, and all of it afterwards", async () => {
  const { line, accepted, dial } = await openLine();
  const [staying, leaving] = [dial(), dial()];
  for (const { socket } of [staying, leaving]) socket.write("before ");
  await eventually(() => expect([staying.heard, leaving.heard]).toEqual(["before ", "before "]));
  line.stopUp();
  staying.socket.write("during");
  leaving.socket.destroy();
  const late = dial();
  late.socket.write("late");
  await once(late.socket, "connect");
  await eventually(() => expect(accepted).toHaveLength(3));
  expect([staying.heard, late.heard]).toEqual(["before ", ""]);
  expect(accepted.filter(({ destroyed }) => destroyed)).toEqual([]);
  line.mend();
  await eventually(() => expect([staying.heard, late.heard]).toEqual(["before during", "late"]));
  await eventually(() => expect(accepted.filter(({ destroyed }) => destroyed)).toHaveLength(1));
});

it("cuts all connections and refuses others until it is mended, or cuts one alone", async () => {
  const { line, accepted, dial } = await openLine();
  const ends = [dial(), dial(), dial()];
  await eventually(() => expect(accepted).toHaveLength(3));
  line.drop(4);
  await eventually(() => expect(accepted.filter(({ destroyed }) => destroyed)).toHaveLength(1));
  expect(line.connections).toBe(2);
  line.cut();
  await eventually(() => expect(ends.every(({ socket }) => socket.destroyed)).toBe(true));
  const refused = dial();
  await eventually(() => expect(refused.socket.destroyed).toBe(true));
  expect(accepted).toHaveLength(3);
  line.mend();
  const welcome = dial();
  welcome.socket.write("hello");
  await eventually(() => expect(welcome.heard).toBe("hello"));
});
