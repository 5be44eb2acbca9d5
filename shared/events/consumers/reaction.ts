/** Reactions: what a stream consumer does about changes of the table. */
import { clock } from '#shared/core/clock.ts';
import { errorFields, log } from '#shared/core/log.ts';
import type { StreamChange } from '#shared/storage/dynamodb/streamChange.ts';
import type { TableAccess } from '#shared/storage/dynamodb/tableAccess.ts';
import type { Write } from '#shared/storage/dynamodb/transaction.ts';
import type { StreamFilter } from './filters.ts';

export interface Reaction {
  /** Unique within the platform: what is parked names it. */
  name: string;
  on: readonly StreamFilter[];
  /** Table access. The consumer's role combines the access of all its reactions. */
  partitions?: TableAccess;
  /**
   * Names the changes that are handled together and in order; those of other groups run at the same time. By default a
   * group is the changes of one item.
   */
  groupBy?: (change: StreamChange) => string;
  /** Handles the changes of a group, in the order of the stream. Idempotent: any may come again, in another group. */
  handle(changes: readonly StreamChange[]): Promise<void>;
  /**
   * Of one that counts in the order of the stream: it would take a change that was parked for one that it has counted.
   */
  late?: {
    /** Whether the change was counted although its last attempt failed. Asked before later changes are handled. */
    isDone(change: StreamChange): Promise<boolean>;
    /** Handles a change that was parked. @param done is written with it, and refused when it was handled before */
    handle(change: StreamChange, done: Write): Promise<void>;
  };
}

export interface Reacting {
  /** The consumer's. */
  name: string;
  reactions: readonly Reaction[];
}

const ATTEMPTS = 3;
const FIRST_PAUSE_MS = 100;
/** A reaction that takes longer has failed: it may not hold up the others of its batch. */
const LONGEST_MS = 20_000;

/** Handles changes, several times if need be. @returns the error of the last attempt, undefined after a success */
export async function attempt(
  { name, handle }: Pick<Reaction, 'name' | 'handle'>,
  changes: readonly StreamChange[],
  isTimeLeft: () => boolean = () => true,
): Promise<unknown> {
  for (let count = 1; ; count++) {
    if (!isTimeLeft()) throw new Error(`${name} has no time left.`);
    try {
      await within(LONGEST_MS, handle(changes));
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
    () => Promise.reject(new Error(`Took longer than ${ms / 1000} seconds.`)),
    () => {},
  );
  try {
    await Promise.race([work, limit]);
  } finally {
    gone.abort();
  }
}
