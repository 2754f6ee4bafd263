const frames = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];

/**
 * Shows on stderr that a long step is alive: a spinner on a terminal, else a line every 5 s.
 * `count()` says how many of about `total` pieces are there.
 */
export function showProgress(title, count, total) {
  const startedAt = Date.now();
  const isTerminal = process.stderr.isTTY === true;
  const clear = isTerminal ? "\r\u001b[K" : "";
  let frame = 0;
  let done = 0;

  const seconds = () => Math.round((Date.now() - startedAt) / 1000);
  const draw = () => {
    // Looking at every folder is slower than turning the spinner.
    if (frame % 5 === 0) done = count();
    const text = `${title}: ${done} of about ${total}, ${seconds()} s`;
    process.stderr.write(isTerminal ? `${clear}${frames[frame % frames.length]} ${text}` : `${text}\n`);
    frame += isTerminal ? 1 : 5;
  };

  draw();
  const timer = setInterval(draw, isTerminal ? 200 : 5000);
  return {
    /** Says something once, between two lines of progress. */
    note: (line) => process.stderr.write(`${clear}${line}\n`),
    stop: () => {
      clearInterval(timer);
      process.stderr.write(`${clear}${title}: ${count()} after ${seconds()} s\n`);
    },
  };
}
