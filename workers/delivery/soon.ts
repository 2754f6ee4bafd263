/** Runs something once the events that are here have been handled, however often it is asked for until then. */
export class Soon {
  readonly #run: () => void;
  #asked: NodeJS.Immediate | undefined;

  constructor(run: () => void) {
    this.#run = run;
  }

  ask(): void {
    this.#asked ??= setImmediate(() => {
      this.#asked = undefined;
      this.#run();
    });
  }
}
