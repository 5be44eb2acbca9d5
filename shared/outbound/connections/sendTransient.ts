/** Sends frames that are neither stored nor repeated, directly from a call. */
import { clock } from '#shared/core/clock.ts';
import { mapConcurrently } from '#shared/core/concurrency.ts';
import { log } from '#shared/core/log.ts';
import { type Connection, isConnecting, removeConnections } from '#shared/storage/dynamodb/connections/connections.ts';

const CONCURRENT_CONNECTIONS = 50;

/** A call waits no longer. Connections that have not accepted the frame by then miss it. */
const SEND_MS = 1_500;

/** One batch of deletions. The next frame or push removes more. */
const REMOVED_PER_FRAME = 12;

/**
 * Sends a frame once to each connection, and removes vanished ones. Slow connections stay open, because a reconnected
 * client would not receive the frame either.
 */
export async function sendTransient(connections: readonly Connection[], frame: string): Promise<void> {
  if (connections.length === 0) return;
  const { sendFrame } = await import('./connectionClient.ts');
  using limit = clock.limit(SEND_MS);
  const { signal } = limit;
  const vanished: Connection[] = [];
  await mapConcurrently(connections, CONCURRENT_CONNECTIONS, async connection => {
    if (signal.aborted) return;
    const outcome = await sendFrame(connection.connectionId, frame, signal);
    const hasVanished = outcome === 'gone' && !isConnecting(connection, clock.now());
    if (hasVanished && vanished.length < REMOVED_PER_FRAME) vanished.push(connection);
  });
  if (signal.aborted) log.warn('A frame was not accepted by all connections in time.', { count: connections.length });
  if (vanished.length > 0) await removeConnections(vanished);
}
