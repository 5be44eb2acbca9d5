/** Listens to a conversation as an end user: over WebSocket, or by the official client's stream if it is blocked. */
import type { AuthenticatedClient, SignalListener } from '@botpress/chat';
import { keepConnected } from './keepConnected.ts';

interface Listening {
  /** `{chat base URL}/{webhookId}` */
  url: string;
  conversationId: string;
  onMessage(message: unknown): void;
  /** Called after each connection, to read what was missed. It is repeated if it fails. */
  onOpen(): Promise<void>;
  onLost(): void;
}

/** Pause before the first reconnection of a stream. Later pauses are longer. */
const FIRST_PAUSE_MS = 1_000;
const MAX_PAUSE_MS = 15_000;

/** @returns a function that ends it */
export function listenToChat(client: AuthenticatedClient, listening: Listening): () => void {
  const { url, conversationId, onMessage, onOpen, onLost } = listening;
  let hasOpened = false;
  let stopStream: (() => void) | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const read = () => {
    clearTimeout(timer);
    onOpen().catch(() => {
      onLost();
      timer = setTimeout(read, MAX_PAUSE_MS);
    });
  };
  const close = keepConnected({
    url: () => `${url.replace(/^http/, 'ws')}/conversations/${encodeURIComponent(conversationId)}/listen`,
    credential: client.user.key,
    onFrame: ({ type, data }) => {
      if (type === 'message_created') onMessage(data);
      // The message is larger than a frame.
      if (type === 'large_signal') read();
    },
    onOpen: () => {
      hasOpened = true;
      read();
    },
    onLost: () => {
      if (hasOpened) return onLost();
      close();
      stopStream = listenToStream(client, listening);
    },
  });
  return () => {
    clearTimeout(timer);
    close();
    stopStream?.();
  };
}

function listenToStream(client: AuthenticatedClient, { conversationId, onMessage, onOpen, onLost }: Listening) {
  let isStopped = false;
  let listener: SignalListener | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let pauseMs = FIRST_PAUSE_MS;
  const lost = () => {
    if (isStopped) return;
    onLost();
    timer = setTimeout(() => void listen(), pauseMs);
    pauseMs = Math.min(pauseMs * 2, MAX_PAUSE_MS);
  };
  async function listen(): Promise<void> {
    try {
      listener = await client.listenConversation({ id: conversationId });
      if (isStopped) return void listener.disconnect();
      listener.on('message_created', onMessage);
      listener.on('error', lost);
      await onOpen();
      pauseMs = FIRST_PAUSE_MS;
    } catch {
      lost();
    }
  }
  void listen();
  return () => {
    isStopped = true;
    clearTimeout(timer);
    void listener?.disconnect();
  };
}
