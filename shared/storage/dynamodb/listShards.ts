/**
 * Over how many partitions the lists of a bot are spread. A list starts in one, so that a page costs one query, and an
 * index partition takes 1,000 write units a second: some 300 conversations (one write to gsi1, up to three to gsi2). A
 * bot that creates records faster is *widened*, once and for good (`workspace/widen.ts`): its new entries are spread
 * over 16 partitions by a hash of the id, and readers merge them.
 *
 * Readers must look wherever a writer may have written. Two rules make that sure without a read for either:
 * - The bot's record says from when on writers write wide, and that time lies {@link NOTICE_MS} ahead when it is set. A
 *   process trusts for {@link KNOWN_MS} that it read no such time, so all readers look everywhere before the first
 *   writer writes wide.
 * - A process that does not know looks everywhere, and writes narrow: the narrow partition is one of the wide ones.
 */
import { clock } from '#shared/core/clock.ts';
import { shardOf } from '#shared/core/ids.ts';

export const WIDE = 16;
/** The partition of a bot that is not wide. */
const NARROW = 0;

/** Longer than any process remembers a bot's record. */
const KNOWN_MS = 60_000;
/** Twice as long, for clocks that differ. */
export const NOTICE_MS = 120_000;

interface Known {
  wideFromMs: number | undefined;
  /** Until then a bot that was not wide is taken for narrow. */
  untilMs: number;
}

const BOTS = 10_000;
const known = new Map<string, Known>();

/** Takes note of a bot's record that was read just now, consistently. */
export function rememberListShards({ id, wideFromMs }: { id: string; wideFromMs?: number | undefined }): void {
  if (known.size >= BOTS) known.clear();
  known.set(id, { wideFromMs, untilMs: clock.now() + KNOWN_MS });
}

/** Takes note that a bot is wide, from a record that may be old: it never becomes narrow again. */
export function rememberWideLists(botId: string, wideFromMs: number | undefined): void {
  if (wideFromMs !== undefined) rememberListShards({ id: botId, wideFromMs });
}

const isWide = (botId: string) => (known.get(botId)?.wideFromMs ?? Number.POSITIVE_INFINITY) <= clock.now();

const isSurelyNarrow = (botId: string) => {
  const entry = known.get(botId);
  return entry !== undefined && entry.wideFromMs === undefined && clock.now() < entry.untilMs;
};

/** The shard that a new entry goes to. @param id spreads the entries of a wide bot */
export const shardFor = (botId: string, id: string): number => (isWide(botId) ? shardOf(id, WIDE) : NARROW);

/** The shards that may have an entry already. */
export const shardsOf = (botId: string, id: string): number[] =>
  isSurelyNarrow(botId) ? [NARROW] : [...new Set([NARROW, shardOf(id, WIDE)])];

/** All shards of a bot's lists that may have entries. */
export const shardsIn = (botId: string): number[] =>
  isSurelyNarrow(botId) ? [NARROW] : Array.from({ length: WIDE }, (_, shard) => shard);
