/**
 * The ping loop of a bot. While connections need pings, the last job of a round plans the next one: a batch of delayed
 * jobs, of which only the last reads and writes the loop.
 */
import { randomText } from '#shared/core/ids.ts';
import { readItem } from '#shared/storage/dynamodb/engine/query.ts';
import { retryConflicts, tryWrite, WriteConflict, write } from '#shared/storage/dynamodb/engine/transaction.ts';
import { pingLoopKey } from '#shared/storage/dynamodb/keys/connections.ts';
import { MAX_CONNECTION_MS } from './connections.ts';

/** The reference client disconnects after 60 seconds without a frame. */
export const PING_SECONDS = 52;

/** Passes of a round. SQS accepts ten jobs in a call, and delays of up to 15 minutes. */
export const PASSES_PER_ROUND = 10;

/** A loop whose round is overdue by three passes has lost its job, and is replaced. */
const STALE_MS = (PASSES_PER_ROUND + 3) * PING_SECONDS * 1000;

/** Longer than an index lags behind the table, so that the last pass has seen every connection. */
const QUIET_MS = 2 * PING_SECONDS * 1000;

export interface PingLoop {
  /** Identifies the chain of jobs. Jobs of an earlier chain end. */
  loopId: string;
  /** Rounds of the loop. A repeated job finds a later one and ends. */
  round: number;
  /** Time of the last connection that needs pings. */
  wantedAtMs: number;
}

/** Returns the id of a new loop, for its first job; undefined if one runs. Called after the connection was stored. */
export const startLoop = (botId: string, nowMs: number): Promise<string | undefined> =>
  retryConflicts(async () => {
    const running = await readItem(pingLoopKey(botId));
    const isRunning = running && nowMs - running.passedAtMs < STALE_MS;
    if (isRunning) {
      await prolongLoop(botId, running.loopId, nowMs);
      return undefined;
    }
    const loopId = randomText(16);
    await replaceLoop(botId, { former: running?.loopId, loopId, nowMs });
    return loopId;
  });

const prolongLoop = (botId: string, loopId: string, nowMs: number) =>
  write([
    {
      update: {
        Key: pingLoopKey(botId),
        UpdateExpression: 'SET wantedAtMs = :now, #ttl = :ttl',
        ConditionExpression: 'loopId = :loop',
        ExpressionAttributeNames: { '#ttl': 'ttl' },
        ExpressionAttributeValues: { ':now': nowMs, ':ttl': ttlAfter(nowMs), ':loop': loopId },
      },
      onRefused: () => new WriteConflict(),
    },
  ]);

const replaceLoop = (
  botId: string,
  { former, loopId, nowMs }: { former: string | undefined; loopId: string; nowMs: number },
) =>
  write([
    {
      put: {
        Item: {
          ...pingLoopKey(botId),
          ...({ loopId, round: 0, wantedAtMs: nowMs } satisfies PingLoop),
          passedAtMs: nowMs,
          ttl: ttlAfter(nowMs),
        },
        ConditionExpression: former ? 'loopId = :former' : 'attribute_not_exists(pk)',
        ...(former ? { ExpressionAttributeValues: { ':former': former } } : {}),
      },
      onRefused: () => new WriteConflict(),
    },
  ]);

/** Returns undefined for a job of an earlier chain or round. */
export async function findPingLoop(botId: string, { loopId, round }: Pick<PingLoop, 'loopId' | 'round'>) {
  const item = await readItem(pingLoopKey(botId));
  return item?.loopId === loopId && item.round === round ? (item as unknown as PingLoop) : undefined;
}

/** Returns false if another job has recorded the round. */
export const recordRound = (botId: string, { loopId, round }: PingLoop, nowMs: number): Promise<boolean> =>
  tryWrite({
    update: {
      Key: pingLoopKey(botId),
      UpdateExpression: 'SET #round = :next, passedAtMs = :now, #ttl = :ttl',
      ConditionExpression: 'loopId = :loop AND #round = :round',
      ExpressionAttributeNames: { '#round': 'round', '#ttl': 'ttl' },
      ExpressionAttributeValues: {
        ':next': round + 1,
        ':now': nowMs,
        ':ttl': ttlAfter(nowMs),
        ':loop': loopId,
        ':round': round,
      },
    },
  });

/** True if no connection has started since a pass that found none could have missed it. */
export const isQuiet = ({ wantedAtMs }: PingLoop, nowMs: number): boolean => nowMs - wantedAtMs > QUIET_MS;

/** Returns false if a connection has started meanwhile. */
export const endPings = (botId: string, { loopId, wantedAtMs }: PingLoop): Promise<boolean> =>
  tryWrite({
    remove: {
      Key: pingLoopKey(botId),
      ConditionExpression: 'loopId = :loop AND wantedAtMs = :wanted',
      ExpressionAttributeValues: { ':loop': loopId, ':wanted': wantedAtMs },
    },
  });

const ttlAfter = (nowMs: number) => Math.floor((nowMs + 2 * MAX_CONNECTION_MS) / 1000);
