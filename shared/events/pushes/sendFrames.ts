import { clock } from '#shared/core/clock.ts';
import { mapConcurrently } from '#shared/core/concurrency.ts';
import { log } from '#shared/core/log.ts';
import { measured } from '#shared/core/metrics.ts';
import { closeConnection, type SendOutcome, sendFrame } from '#shared/outbound/connections/connectionClient.ts';
import { type Connection, isConnecting, removeConnections } from '#shared/storage/dynamodb/connections/connections.ts';

const CONCURRENT_CONNECTIONS = 50;

const HANDSHAKE_ATTEMPTS = 4;
const HANDSHAKE_PAUSE_MS = 150;

export interface Sent {
  frames: number;
  /** Frames that were not accepted in time. */
  failed: number;
  closed: number;
}

export const NOTHING_SENT: Sent = { frames: 0, failed: 0, closed: 0 };

/**
 * Sends frames to connections, in order per connection. Vanished connections are removed. A connection that fails or is
 * slow is closed: its client reconnects and receives what it missed.
 */
export async function sendFrames<Target extends Connection>(
  connections: readonly Target[],
  framesFor: (connection: Target) => AsyncIterable<string> | Iterable<string>,
): Promise<Sent> {
  const outcomes = await mapConcurrently(connections, CONCURRENT_CONNECTIONS, async connection => {
    let frames = 0;
    for await (const frame of framesFor(connection)) {
      const outcome = await sendToOne(connection, frame);
      if (outcome !== 'sent') return { connection, frames, outcome };
      frames++;
    }
    return { connection, frames, outcome: 'sent' as const };
  });
  const ended = outcomes.filter(({ outcome }) => outcome !== 'sent');
  await endConnections(ended.map(({ connection, outcome }) => ({ connection, isOpen: outcome === 'failed' })));
  return {
    frames: outcomes.reduce((sum, { frames }) => sum + frames, 0),
    failed: outcomes.filter(({ outcome }) => outcome === 'failed').length,
    closed: ended.length,
  };
}

async function sendToOne(connection: Connection, frame: string): Promise<SendOutcome> {
  for (let attempt = 1; ; attempt++) {
    const outcome = await sendFrame(connection.connectionId, frame);
    const isEarly = outcome === 'gone' && isConnecting(connection, clock.now());
    if (!isEarly || attempt === HANDSHAKE_ATTEMPTS) return outcome;
    await clock.sleep(HANDSHAKE_PAUSE_MS * attempt);
  }
}

/** Closes connections that are open, and removes all. */
async function endConnections(ended: readonly { connection: Connection; isOpen: boolean }[]): Promise<void> {
  const open = ended.filter(({ isOpen }) => isOpen);
  await mapConcurrently(open, CONCURRENT_CONNECTIONS, ({ connection }) => closeConnection(connection.connectionId));
  await removeConnections(ended.map(({ connection }) => connection));
  if (ended.length > 0) log.info('Removed connections.', measured({ connections: -ended.length }));
}

export const closeConnections = (connections: readonly Connection[]): Promise<void> =>
  endConnections(connections.map(connection => ({ connection, isOpen: true })));
