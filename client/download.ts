/** Gives the browser a text to save as a file. */
export function downloadText(name: string, text: string, type: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: `${type};charset=utf-8` }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name.replaceAll(/[^\w.@-]+/g, "-");
  link.click();
  // The browser has begun to read by then; the address would keep the text in memory.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
