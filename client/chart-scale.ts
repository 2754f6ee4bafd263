/** The least round number (1, 2 or 5 times a power of ten) that is not below `value`; 1 for nothing. */
export function roundUp(value: number): number {
  if (!(value > 0)) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  const step = [1, 2, 5, 10].find((each) => each * power >= value * (1 - 1e-9)) ?? 10;
  return step * power;
}

interface Box {
  width: number;
  height: number;
  max: number;
}

/** Where the middle of bucket `index` of `count` lies. */
export const bucketX = (index: number, count: number, width: number): number =>
  ((index + 0.5) * width) / count;

/** SVG path data of a line through the values, broken where there are none; a lone value is a short dash. */
export function linePath(values: readonly (number | null)[], { width, height, max }: Box): string {
  const parts: string[] = [];
  let isDrawing = false;
  values.forEach((value, index) => {
    if (value === null) {
      isDrawing = false;
      return;
    }
    const x = bucketX(index, values.length, width);
    const y = height - (Math.min(value, max) / max) * height;
    const isLone = !isDrawing && (values[index + 1] ?? null) === null;
    const half = width / values.length / 3;
    if (isLone) parts.push(`M${short(x - half)} ${short(y)}H${short(x + half)}`);
    else parts.push(`${isDrawing ? "L" : "M"}${short(x)} ${short(y)}`);
    isDrawing = !isLone;
  });
  return parts.join("");
}

const short = (value: number) => String(Math.round(value * 100) / 100);
