/** Open chats of a load: connections and event streams, with the frames and jobs that keep connections open. */
import { KEEP_ALIVE_MINUTES } from '#shared/api/socket/keepAlive.ts';
import { MAX_CONNECTION_MS } from '#shared/storage/dynamodb/connections/connections.ts';
import { PING_SECONDS } from '#shared/storage/dynamodb/connections/pingLoops.ts';
import type { Load } from './costLoad.ts';
import { ASSUMED } from './figures.ts';

const MONTH_MINUTES = 730 * 60;

export interface Connections {
  /** Average number of open event streams, and of open connections. */
  streams: number;
  connected: number;
  /** Opened connections. This and the following numbers are per month. */
  connects: number;
  /** Passes of the bots' ping loops. */
  passes: number;
  /** Signals for connections, each with a job. */
  pushes: number;
  frames: number;
}

export function connectionsOf({ listeners, sse, pinged, bots, messages }: Load): Connections {
  const streams = (listeners * sse) / 100;
  const connected = listeners - streams;
  const others = (connected * pinged) / 100;
  const passesOfLoop = (MONTH_MINUTES * 60) / PING_SECONDS;
  // In a lively conversation, signals keep the connection open.
  const quietMinutes = MONTH_MINUTES * (1 - ASSUMED.livelyShare);
  const keepAlives = ((connected - others) * quietMinutes) / KEEP_ALIVE_MINUTES;
  // A message and its reply are each pushed to one connection.
  const pushes = connected > 0 ? messages * 2 : 0;
  return {
    streams,
    connected,
    connects: (connected * MONTH_MINUTES) / (MAX_CONNECTION_MS / 60_000),
    passes: Math.min(others, bots) * passesOfLoop,
    pushes,
    // A keep-alive frame has a reply.
    frames: 2 * keepAlives + others * passesOfLoop + pushes,
  };
}
