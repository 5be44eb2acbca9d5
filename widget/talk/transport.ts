/** Connections that receive the signals of a conversation. */
import type { LiveSignal } from './chatContract.ts';
import type { Progress } from './progress.ts';

/** A signal, and where it is in the conversation. Presence and parts of replies have no place. */
export interface Frame {
  position?: string | undefined;
  cursor?: string | undefined;
  /** True for a frame that the client missed, before `ready`. */
  isMissed?: boolean | undefined;
  /** Undefined for a new cursor only, and for a message that was deleted meanwhile. */
  signal?: LiveSignal | undefined;
}

export interface Attempt {
  progress: Progress;
  /** Ends the connection. */
  ended: AbortSignal;
  onFrame(frame: Frame): void;
  /** Called once, when all missed frames have arrived. */
  onLive(): void;
}

export interface Transport {
  /** Resolves when the server regularly ends the connection. @throws ChatFault, or the reason of `ended` */
  listen(attempt: Attempt): Promise<void>;
  /** Replaces a connection whose network may have changed, if it cannot detect that itself. */
  renew?(): void;
}

export interface Pauses {
  firstMs: number;
  longestMs: number;
  /** Event streams carry data at least every four seconds. A WebSocket is `ready` in this time. */
  silenceMs: number;
  /** Maximum duration of a WebSocket's handshake. */
  handshakeMs: number;
  /** Interval at which a tab checks the tab that has the connection. */
  checkMs: number;
  /** Time until a blocked WebSocket is tried again. Repeated failures wait longer. */
  blockedMs: number;
}

export const PAUSES: Pauses = {
  firstMs: 1_000,
  longestMs: 30_000,
  silenceMs: 15_000,
  handshakeMs: 8_000,
  checkMs: 10_000,
  blockedMs: 30_000,
};
