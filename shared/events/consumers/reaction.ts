import { clock } from '#shared/core/clock.ts';
import { errorFields, log } from '#shared/core/log.ts';
import type { StreamChange } from '#shared/storage/dynamodb/engine/streamChange.ts';
import type { TableAccess } from '#shared/storage/dynamodb/engine/tableAccess.ts';
import type { Write } from '#shared/storage/dynamodb/engine/transaction.ts';
import type { StreamFilter } from './filters.ts';

export interface Reaction {
  /** Unique within the platform, because dead letters contain it. */
  name: string;
  on: readonly StreamFilter[];
  /** Table access. The consumer's role combines the access of its reactions. */
  partitions?: TableAccess;
  /** Group of changes that are handled together and in order. Groups run concurrently. Default: the item. */
  groupBy?: (change: StreamChange) => string;
  /** Handles a group in stream order. Must be idempotent: a change may be redelivered in another group. */
  handle(changes: readonly StreamChange[]): Promise<void>;
  /**
   * Required if the reaction counts in stream order. Otherwise, the reaction would treat the change of a dead letter as
   * counted.
   */
  late?: {
    /** Returns true if the change was counted although the attempt failed. Called before later changes. */
    isDone(change: StreamChange): Promise<boolean>;
    /**
     * Handles the change of a dead letter. `done` must be part of the same write: it fails if the change was handled
     * before.
     */
    handle(change: StreamChange, done: Write): Promise<void>;
  };
}

export interface Reacting {
  name: string;
  reactions: readonly Reaction[];
}

const ATTEMPTS = 3;
const FIRST_PAUSE_MS = 100;
/** Timeout of a reaction, so that it cannot block its batch. */
const MAX_MS = 20_000;

/** Handles changes with retries. Returns the error of the last attempt, or undefined. */
export async function attempt(
  { name, handle }: Pick<Reaction, 'name' | 'handle'>,
  changes: readonly StreamChange[],
  isTimeLeft: () => boolean = () => true,
): Promise<unknown> {
  for (let count = 1; ; count++) {
    if (!isTimeLeft()) throw new Error(`${name} ran out of time.`);
    try {
      await within(MAX_MS, handle(changes));
      return undefined;
    } catch (error) {
      const [{ pk, sk }] = changes as [StreamChange];
      log.warn('A reaction failed.', { reaction: name, pk, sk, attempt: count, error: errorFields(error) });
      if (count === ATTEMPTS) return error;
      await clock.sleep(FIRST_PAUSE_MS * 4 ** (count - 1) * (0.5 + Math.random()));
    }
  }
}

async function within(ms: number, work: Promise<void>): Promise<void> {
  const gone = new AbortController();
  const limit = clock.sleep(ms, gone.signal).then(
    () => Promise.reject(new Error(`Timed out after ${ms / 1000} seconds.`)),
    () => {},
  );
  try {
    await Promise.race([work, limit]);
  } finally {
    gone.abort();
  }
}
