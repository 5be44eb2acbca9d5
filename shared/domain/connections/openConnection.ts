import { startPings } from '#shared/storage/dynamodb/connections/pingLoops.ts';
import {
  addConnection,
  type Connection,
  MAX_CONNECTION_MS,
} from '#shared/storage/dynamodb/connections/connections.ts';
import { enqueueConnectionJob } from '#shared/storage/queues/connectionJobs.ts';
import { MAX_DELAY_SECONDS } from '#shared/storage/queues/queueLimits.ts';

/** Stores a connection, and requests what keeps it open or ends it. */
export async function openConnection(connection: Connection, nowMs: number): Promise<void> {
  const { botId, connectionId, expiresAtMs = Number.POSITIVE_INFINITY } = connection;
  await addConnection(connection, nowMs);
  if (expiresAtMs < nowMs + MAX_CONNECTION_MS) await requestExpiry({ botId, connectionId, atMs: expiresAtMs }, nowMs);
  if (connection.kind === 'listener' && !connection.isResumable) await startPings(botId, nowMs);
}

/** A queue delays a job by at most 15 minutes, so the job enqueues itself until the time. */
export const requestExpiry = (
  job: { botId: string; connectionId: string; atMs: number },
  nowMs: number,
): Promise<void> =>
  enqueueConnectionJob(
    { kind: 'expire', ...job },
    Math.min(MAX_DELAY_SECONDS, Math.max(0, Math.ceil((job.atMs - nowMs) / 1000))),
  );
