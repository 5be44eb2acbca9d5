/**
 * Number of partitions of a bot's lists. A list starts with one, which takes 1,000 write units per second, or about 300
 * conversations. A bot that creates records faster is *widened* permanently (`widenLists.ts`): new entries are spread
 * over 16 partitions by a hash of the id, and readers merge them.
 *
 * Readers must cover every partition that a writer may use:
 * - The bot's record contains the start of wide writes, set {@link NOTICE_MS} in advance. Processes trust a record
 * without it for {@link KNOWN_MS}, so all readers read everywhere before the first wide write.
 * - A process without a recent record reads everywhere and writes narrow, because the narrow partition is a wide one,
 * too.
 */
import { clock } from '#shared/core/clock.ts';
import { shardOf } from '#shared/core/ids.ts';

export const WIDE = 16;
const NARROW = 0;

/** Exceeds any cache of bots' records. */
const KNOWN_MS = 60_000;
/** Twice KNOWN_MS, for clock skew. */
export const NOTICE_MS = 120_000;

interface Known {
  wideFromMs: number | undefined;
  untilMs: number;
}

const BOTS = 10_000;
const known = new Map<string, Known>();

/** Must be called with a bot that was just read consistently. */
export function rememberListShards({ id, wideFromMs }: { id: string; wideFromMs?: number | undefined }): void {
  if (known.size >= BOTS) known.clear();
  known.set(id, { wideFromMs, untilMs: clock.now() + KNOWN_MS });
}

/** Accepts a stale record, because a wide bot never becomes narrow. */
export function rememberWideLists(botId: string, wideFromMs: number | undefined): void {
  if (wideFromMs !== undefined) rememberListShards({ id: botId, wideFromMs });
}

const isWide = (botId: string) => (known.get(botId)?.wideFromMs ?? Number.POSITIVE_INFINITY) <= clock.now();

const isSurelyNarrow = (botId: string) => {
  const entry = known.get(botId);
  return entry !== undefined && entry.wideFromMs === undefined && clock.now() < entry.untilMs;
};

export const shardFor = (botId: string, id: string): number => (isWide(botId) ? shardOf(id, WIDE) : NARROW);

export const shardsOf = (botId: string, id: string): number[] =>
  isSurelyNarrow(botId) ? [NARROW] : [...new Set([NARROW, shardOf(id, WIDE)])];

export const shardsIn = (botId: string): number[] =>
  isSurelyNarrow(botId) ? [NARROW] : Array.from({ length: WIDE }, (_, shard) => shard);
