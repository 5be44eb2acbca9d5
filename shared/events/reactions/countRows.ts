/** Counts each changed row exactly once. Separate from the other reactions, so their failures cannot repeat a count. */
import { clock } from '#shared/core/clock.ts';
import { findBotCached } from '#shared/storage/dynamodb/bots/cachedBot.ts';
import type { StreamChange } from '#shared/storage/dynamodb/engine/streamChange.ts';
import type { Write } from '#shared/storage/dynamodb/engine/transaction.ts';
import { isStale, isUnindexed, type Row } from '#shared/storage/dynamodb/tables/row.ts';
import { groupByTable, type RowStreamChange } from '#shared/storage/dynamodb/tables/rowChanges.ts';
import {
  type CountedChange,
  countRows as count,
  countRowLate as countLate,
  isRowChangeCounted,
} from '#shared/storage/dynamodb/tables/rowCounts.ts';

export async function countRows(changes: readonly StreamChange[]): Promise<void> {
  for (const { botId, tableId, changes: own } of groupByTable(changes)) {
    const bot = await findCounting(botId);
    if (bot) await count(bot, tableId, own.map(toCountedChange), clock.now());
  }
}

export const countRowLate = {
  isDone: async (change: StreamChange): Promise<boolean> => {
    const { botId, tableId, counted } = only(change);
    return !(await findCounting(botId)) || isRowChangeCounted(botId, tableId, counted);
  },
  handle: async (change: StreamChange, done: Write): Promise<void> => {
    const { botId, tableId, counted } = only(change);
    const bot = await findCounting(botId);
    if (bot) await countLate(bot, tableId, counted, done, clock.now());
  },
};

/** The rows of a deleted bot are swept, and its totals were subtracted when it was deleted. */
async function findCounting(botId: string) {
  const bot = await findBotCached(botId);
  return bot?.deletedAtMs === undefined ? bot : undefined;
}

function only(change: StreamChange) {
  const { botId, tableId, changes } = groupByTable([change])[0]!;
  return { botId, tableId, counted: toCountedChange(changes[0]!) };
}

const difference = (is: (row: Row | undefined) => boolean, { before, after }: RowStreamChange) =>
  Number(is(after)) - Number(is(before));

const toCountedChange = (change: RowStreamChange): CountedChange => ({
  part: change.part,
  sequenceNumber: change.sequenceNumber,
  rows: difference(row => row !== undefined, change),
  stale: difference(isStale, change),
  indexing: difference(isUnindexed, change),
});
