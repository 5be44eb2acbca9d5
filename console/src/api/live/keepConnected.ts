/** A WebSocket of Parley's protocol (docs/api/live.md) that reconnects until it is stopped. */
import { KEEP_ALIVE_FRAME, KEEP_ALIVE_MS, SUBPROTOCOL } from '#widget/talk/protocol.ts';

export interface Connected {
  /** Read before each connection. */
  url: () => string;
  /** User key or token. */
  credential: string;
  onFrame(frame: Frame): void;
  onOpen(): void;
  /** Called when the connection closes or cannot be opened, before the next attempt. */
  onLost(): void;
}

export interface Frame {
  type: string;
  // biome-ignore lint/suspicious/noExplicitAny: its shape depends on the type
  data: any;
}

/** Pause before the first reconnection. Later pauses are longer. */
const FIRST_PAUSE_MS = 1_000;
const MAX_PAUSE_MS = 60_000;

/** Returns a function that closes the connection. */
export function keepConnected({ url, credential, onFrame, onOpen, onLost }: Connected): () => void {
  let isStopped = false;
  let pauseMs = FIRST_PAUSE_MS;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let socket: WebSocket | undefined;

  function connect(): void {
    let keepAlive: ReturnType<typeof setTimeout> | undefined;
    const postpone = () => {
      clearTimeout(keepAlive);
      keepAlive = setTimeout(() => {
        current.send(KEEP_ALIVE_FRAME);
        postpone();
      }, KEEP_ALIVE_MS);
    };
    const current = new WebSocket(url(), [SUBPROTOCOL, credential]);
    socket = current;
    current.onopen = () => {
      if (isStopped) return;
      pauseMs = FIRST_PAUSE_MS;
      postpone();
      onOpen();
    };
    current.onmessage = ({ data }) => {
      if (isStopped) return;
      postpone();
      const frame = parse(String(data));
      if (frame && frame.type !== 'alive') onFrame(frame);
    };
    current.onclose = () => {
      clearTimeout(keepAlive);
      if (isStopped) return;
      onLost();
      if (isStopped) return;
      // Spreads the reconnections of many pages after an interruption.
      timer = setTimeout(connect, pauseMs * (0.5 + Math.random() / 2));
      pauseMs = Math.min(2 * pauseMs, MAX_PAUSE_MS);
    };
  }

  connect();
  return () => {
    isStopped = true;
    clearTimeout(timer);
    socket?.close();
  };
}

/** Other frames are responses of API Gateway to an unknown route. */
function parse(text: string): Frame | undefined {
  try {
    const frame = JSON.parse(text);
    return typeof frame.type === 'string' ? frame : undefined;
  } catch {
    return undefined;
  }
}
