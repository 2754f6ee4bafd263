/** How a secret may turn up in a text: as it is, in hex, URL-encoded, and in base64 wherever it begins in what is encoded. */
export function spellings(secret: string | Buffer): string[] {
  const bytes = Buffer.from(secret);
  const base64 = (["base64", "base64url"] as const).flatMap((encoding) =>
    [0, 1, 2].map((before) => {
      const text = Buffer.concat([Buffer.alloc(before), bytes])
        .toString(encoding)
        .replace(/=+$/, "");
      // What its neighbours share in is not the secret's.
      return text.slice(before === 0 ? 0 : before + 1, -2);
    }),
  );
  const hex = bytes.toString("hex");
  const plain = typeof secret === "string" ? [secret, encodeURIComponent(secret)] : [];
  return [...new Set([...plain, hex, hex.toUpperCase(), ...base64])];
}
