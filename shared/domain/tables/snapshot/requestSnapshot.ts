import { clock } from '#shared/core/clock.ts';
import { errorFields, log } from '#shared/core/log.ts';
import type { Reservation } from '#shared/storage/dynamodb/tables/rowLog.ts';
import { isTooLarge, type LogState, type Snapshot, tailOf } from '#shared/storage/dynamodb/tables/snapshots.ts';
import { enqueueSnapshot } from '#shared/storage/queues/snapshotJobs.ts';

/** Rebuild a snapshot that is this many rows behind. */
export const TAIL_ROWS = 2_000;
/** Changed rows after which a writer requests another snapshot: this share of the table, within limits. */
const STEP = { share: 0.05, least: 5_000, most: 20_000 };
/** Jobs that wrote rows to a table of this size request a snapshot at their end. */
const LARGE_ROWS = 10_000;
const ASK_AGAIN_MS = 60_000;

const askedMs = new Map<string, number>();

/** Requests a snapshot at most once a minute. Never fails: callers read or write rows without it. */
export async function requestSnapshot(
  botId: string,
  tableId: string,
  known: Snapshot | undefined,
  isLost = false,
): Promise<void> {
  const name = `${botId}#${tableId}`;
  if (clock.now() - (askedMs.get(name) ?? 0) < ASK_AGAIN_MS) return;
  if (askedMs.size > 1_000) askedMs.clear();
  askedMs.set(name, clock.now());
  await request(botId, tableId, known, isLost);
}

/**
 * Requests a snapshot after a write that completed another step of rows since the latest one. Exactly one of several
 * concurrent writers completes a step. If it crashes, the next step or a query requests the snapshot.
 */
export async function requestGrowth(
  botId: string,
  tableId: string,
  { lastId, rows, log: state }: Reservation,
): Promise<void> {
  const step = Math.min(STEP.most, Math.max(STEP.least, Math.floor(STEP.share * lastId)));
  const tail = tailOf(state);
  const completesStep = Math.floor(tail / step) > Math.floor((tail - rows) / step);
  if (completesStep && !isOversized(state.snapshot)) await request(botId, tableId, state.snapshot);
}

/** Requests a snapshot for a large table with rows that a job has written. */
export async function requestAfterJob(
  botId: string,
  tableId: string,
  { lastId, log: state }: { lastId: number; log: LogState },
): Promise<void> {
  const { snapshot } = state;
  if (lastId >= LARGE_ROWS && tailOf(state) > 0 && !isOversized(snapshot)) await request(botId, tableId, snapshot);
}

const isOversized = (snapshot: Snapshot | undefined) => snapshot !== undefined && isTooLarge(snapshot);

const request = (botId: string, tableId: string, known: Snapshot | undefined, isLost = false): Promise<void> =>
  enqueueSnapshot({ botId, tableId, seen: known?.revision ?? -1, isLost }).catch(error =>
    log.error('Failed to request a snapshot.', { tableId, error: errorFields(error) }),
  );
