/**
 * Listens over a WebSocket, and over an event stream where a proxy or a policy blocks WebSockets. The event stream also
 * reports the status of a refused handshake, which browsers hide.
 */
import type { EventStream } from './eventStream.ts';
import type { Memory } from './memory.ts';
import type { Attempt, Pauses, Transport } from './transport.ts';
import { NotOpened, type WebSocketTransport } from './webSocket.ts';

/** A first failure may be a moment without network. Repeated ones are probably a proxy. */
const REPEATED = 20;

interface Transports {
  webSocket: WebSocketTransport;
  eventStream: EventStream;
  /** Remembers that WebSockets are blocked. */
  memory: Memory;
  pauses: Pauses;
}

export class Fallback implements Transport {
  #transports: Transports;

  constructor(transports: Transports) {
    this.#transports = transports;
  }

  renew(): void {
    this.#transports.webSocket.renew();
  }

  async listen(attempt: Attempt): Promise<void> {
    const { webSocket, eventStream } = this.#transports;
    const isTried = this.#remainingMs() <= 0;
    if (isTried) {
      try {
        return await webSocket.listen(attempt, () => this.#remember(undefined));
      } catch (error) {
        if (!(error instanceof NotOpened)) throw error;
      }
    }
    const retry = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const onLive = () => {
      if (isTried) this.#block();
      timer = setTimeout(() => retry.abort(), this.#remainingMs());
      attempt.onLive();
    };
    try {
      await eventStream.listen({ ...attempt, onLive, ended: AbortSignal.any([attempt.ended, retry.signal]) });
    } catch (error) {
      // The next attempt tries a WebSocket, and continues at the same position.
      if (!retry.signal.aborted || attempt.ended.aborted) throw error;
    } finally {
      clearTimeout(timer);
    }
  }

  #remainingMs(): number {
    return (this.#transports.memory.read().socketsBlockedUntilMs ?? 0) - Date.now();
  }

  #block(): void {
    const { memory, pauses } = this.#transports;
    const isRepeated = memory.read().socketsBlockedUntilMs !== undefined;
    this.#remember(Date.now() + pauses.blockedMs * (isRepeated ? REPEATED : 1));
  }

  #remember(socketsBlockedUntilMs: number | undefined): void {
    const { memory } = this.#transports;
    if (memory.read().socketsBlockedUntilMs !== socketsBlockedUntilMs) memory.write({ socketsBlockedUntilMs });
  }
}
