import { createHmac } from "node:crypto";

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
const STEP_MS = 30_000;

/** An authenticator app that was given a key in base32: gives codes, each of a later step than the one before (RFC 6238). */
export function authenticatorApp(key: string): () => string {
  const secret = bytesOf(key);
  let last = 0;
  return () => {
    const now = Math.floor(Date.now() / STEP_MS);
    // The step before would count too, but not for long.
    last = Math.max(last + 1, now);
    if (last > now + 1) throw new Error("more codes were asked for than count by now");
    return codeOf(secret, last);
  };
}

function codeOf(secret: Buffer, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac("sha1", secret).update(counter).digest();
  const number = mac.readUInt32BE(mac.readUInt8(19) & 15) & 0x7fff_ffff;
  return String(number % 1_000_000).padStart(6, "0");
}

function bytesOf(base32: string): Buffer {
  const bits = [...base32.replaceAll(" ", "")]
    .map((letter) => ALPHABET.indexOf(letter).toString(2).padStart(5, "0"))
    .join("");
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}
