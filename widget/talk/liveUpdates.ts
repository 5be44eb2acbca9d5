import type { ChatApi } from './chatApi.ts';
import { EventStream } from './eventStream.ts';
import { Fallback } from './fallback.ts';
import type { Memory } from './memory.ts';
import { SharedListener, type SharedListening } from './sharedListener.ts';
import { WebSocketTransport } from './webSocket.ts';

interface Listened {
  api: ChatApi;
  memory: Memory;
  userId: string;
  conversationId: string;
}

/** Returns a listener over WebSocket or event stream, which the user's tabs share. */
export function newLiveUpdates({
  api,
  memory,
  userId,
  conversationId,
  ...listening
}: Listened & Omit<SharedListening, 'name' | 'transport'>): SharedListener {
  // The event stream adopts the server's delay.
  const pauses = { ...listening.pauses };
  const webSocket = new WebSocketTransport(api, conversationId, pauses);
  const eventStream = new EventStream(api, conversationId, pauses);
  return new SharedListener({
    ...listening,
    pauses,
    // Contains no key, because scripts of the page can list the names of locks.
    name: JSON.stringify(['parley-chat', api.url, userId, conversationId]),
    transport: new Fallback({ webSocket, eventStream, memory, pauses }),
  });
}
