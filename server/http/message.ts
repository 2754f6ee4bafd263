/** A request as the API reads it, whichever server received it. */
export interface ApiRequest {
  readonly method: string;
  /** Path and query, as on the request line. */
  readonly target: string;
  /** The value of a header by its lower-case name; several lines are joined with a comma. */
  header(name: string): string | undefined;
  /** `null` when the message has no body. Not reading it to its end leaves the connection usable for the answer. */
  readonly body: ApiBody | null;
  /** Aborts when the client has left or the server stops. */
  readonly signal: AbortSignal;
}

/** The body of a request, as it comes. */
export interface ApiBody extends AsyncIterable<Uint8Array> {
  /** All of it, if nothing of it has been read and all of it is here: nearly every body is, by the time it is asked for. */
  arrived?(): Uint8Array | undefined;
}

/** An answer, ready to be written. Header names are in lower case. */
export interface ApiResponse {
  status: number;
  headers: Record<string, string>;
  body: string | null;
}

/** JSON text that is sent as it stands: what is stored as text is read back to the byte. */
export class RawJson {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}
