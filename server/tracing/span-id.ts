/** A span's id. It has to be new, not hard to guess. */
export const newSpanId = (): string => randomHex() + randomHex();

const randomHex = () =>
  Math.floor(1 + Math.random() * 0xffff_fffe)
    .toString(16)
    .padStart(8, "0");
