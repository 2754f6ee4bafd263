import { connect as connectTcp, isIP, type Socket } from "node:net";
import { performance } from "node:perf_hooks";
import { connect as connectTls } from "node:tls";
import type { AddressPolicy } from "#server/domain/address-policy.ts";
import { addressBlocked, guardedLookup, type MayReach } from "./guarded-lookup.ts";
import type { Resolve } from "./resolver.ts";
import { SendError } from "./send-error.ts";

/** Node's default of 250 ms gives up on hosts that are merely far away. */
const ADDRESS_ATTEMPT_MS = 1000;

export interface GuardOptions {
  policy: AddressPolicy;
  resolve: Resolve;
  /** For name, TCP and TLS together. */
  connectTimeoutMs: number;
}

/** Where a connection goes; `hostname` without the brackets of IPv6, `port` empty for the default of the scheme. */
export interface Peer {
  protocol: string;
  hostname: string;
  port: string;
}

/** What is told of a connection, never before the constructor has returned. */
export interface ConnectionEvents {
  onOpen(): void;
  /** Bytes from the peer, to be read before it returns: they are written over by the next. */
  onBytes(bytes: Buffer): void;
  /** The peer will send no more. */
  onEnd(): void;
  /** No connection came to stand (an error then), or the one that stood is gone. Told once. */
  onClose(error: Error | null): void;
}

/** Read into by every connection without TLS: what comes is read at once, so one is enough. */
const READ_BUFFER = Buffer.allocUnsafeSlow(64 * 1024);

/**
 * One connection, from the name to the open socket: the boundary against SSRF. Only addresses that the policy allows
 * are reached, over http only those that it opens: a literal is checked first (the lookup is never asked for one), every
 * answer of the resolver when it comes, and the peer's address once more before a byte is sent; it may not be this
 * machine's own either. TLS verifies the name of the URL, whatever the environment says about certificates.
 *
 * Times are null for steps that were not taken or not finished.
 */
export class GuardedConnection {
  phase: "dns" | "connect" | "tls" | "open" = "dns";
  remoteAddress: string | null = null;
  dnsMs: number | null = null;
  connectMs: number | null = null;
  tlsMs: number | null = null;
  /** On the clock of `performance.now()`. */
  openedAt = 0;

  #phaseStartedAt = performance.now();
  #socket: Socket | null = null;
  /** What is below TLS. */
  #tcp: Socket | null = null;
  #isClosed = false;
  readonly #events: ConnectionEvents;
  readonly #peer: Peer;
  readonly #policy: AddressPolicy;
  readonly #mayReach: MayReach;
  readonly #timer: NodeJS.Timeout;

  constructor(peer: Peer, options: GuardOptions, events: ConnectionEvents) {
    this.#peer = peer;
    const { policy } = options;
    this.#policy = policy;
    this.#mayReach = (address) =>
      peer.protocol === "https:" ? policy.allows(address) : policy.opens(address);
    this.#events = events;
    // setImmediate: what has arrived by then is read first; a busy event loop is not the peer's fault.
    this.#timer = setTimeout(() => setImmediate(() => this.#expire()), options.connectTimeoutMs);
    const isLiteral = isIP(peer.hostname) !== 0;
    if (isLiteral && !this.#mayReach(peer.hostname)) {
      process.nextTick(() => this.abort(addressBlocked(peer.hostname)));
    } else {
      this.#connect(isLiteral, options.resolve);
    }
  }

  /** The socket while the connection stands. */
  get socket(): Socket | null {
    return this.phase === "open" ? this.#socket : null;
  }

  /** Destroys the socket in whatever phase it is. */
  abort(error: Error): void {
    this.#socket?.destroy();
    this.#close(error);
  }

  /**
   * Has the kernel forget the connection at once. Closed in the usual way, what a peer does not read would stay in its
   * buffers for minutes.
   */
  reset(): void {
    this.#tcp?.resetAndDestroy();
  }

  #connect(isLiteral: boolean, resolve: Resolve): void {
    if (isLiteral) this.phase = "connect";
    const { hostname, port, protocol } = this.#peer;
    const socket = connectTcp({
      host: hostname,
      port: Number(port) || (protocol === "https:" ? 443 : 80),
      lookup: guardedLookup(this.#mayReach, resolve),
      autoSelectFamily: true,
      autoSelectFamilyAttemptTimeout: ADDRESS_ATTEMPT_MS,
      noDelay: true,
      // Without TLS the bytes come without passing through a stream; with TLS the handshake takes them.
      ...(protocol === "https:" ? {} : { onread: { buffer: READ_BUFFER, callback: (n) => this.#read(n) } }),
    });
    this.#socket = socket;
    this.#tcp = socket;
    socket
      .once("lookup", (error: Error | null) => {
        if (!error) this.dnsMs = this.#enter("connect");
      })
      .once("connect", () => this.#connected(socket))
      .on("error", (error) => this.abort(error));
  }

  #connected(socket: Socket): void {
    this.connectMs = this.#enter("tls");
    const address = socket.remoteAddress ?? "";
    if (!this.#mayReach(address) || this.#isOwn(socket)) {
      this.abort(addressBlocked(address));
      return;
    }
    this.remoteAddress = address;
    if (this.#peer.protocol === "https:") this.#secure(socket);
    else this.#opened(socket);
  }

  /** An address of this machine, of whichever interface: such a connection has it at both ends. */
  #isOwn({ localAddress, remoteAddress = "" }: Socket): boolean {
    return localAddress === remoteAddress && !this.#policy.opens(remoteAddress);
  }

  #secure(tcp: Socket): void {
    const { hostname } = this.#peer;
    const socket = connectTls({
      socket: tcp,
      // Server Name Indication takes no addresses (RFC 6066 §3); `host` is what the certificate is checked against.
      servername: isIP(hostname) ? "" : hostname,
      host: hostname,
      ALPNProtocols: ["http/1.1"],
      rejectUnauthorized: true,
    });
    this.#socket = socket;
    socket
      .once("secureConnect", () => {
        this.tlsMs = performance.now() - this.#phaseStartedAt;
        this.#opened(socket);
      })
      .on("data", (bytes: Buffer) => this.#events.onBytes(bytes))
      .on("error", (error) => this.abort(error));
  }

  #opened(socket: Socket): void {
    clearTimeout(this.#timer);
    this.phase = "open";
    this.openedAt = performance.now();
    socket.on("end", () => this.#events.onEnd()).on("close", () => this.#close(null));
    this.#events.onOpen();
  }

  #read(length: number): boolean {
    this.#events.onBytes(READ_BUFFER.subarray(0, length));
    return true;
  }

  #expire(): void {
    // It may have come to stand since the timer fired.
    if (this.phase === "open") return;
    this.abort(
      this.phase === "dns"
        ? new SendError("dns_failure", "the host name did not resolve in time")
        : new SendError("connect_timeout", "no connection in time"),
    );
  }

  #close(error: Error | null): void {
    clearTimeout(this.#timer);
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#events.onClose(error);
  }

  /** Begins a phase and gives how long the one before it took. */
  #enter(phase: "connect" | "tls"): number {
    const now = performance.now();
    const tookMs = now - this.#phaseStartedAt;
    this.phase = phase;
    this.#phaseStartedAt = now;
    return tookMs;
  }
}
