/**
 * Counts each stream record of files once: one transaction adds to the totals and stores the tokens. Counters of a bot
 * are serialized. Files share no partition, so there is no sequence number to compare.
 */
import { chunksOf } from '#shared/core/concurrency.ts';
import { randomText } from '#shared/core/ids.ts';
import { between, queryAll, readItem } from '#shared/storage/dynamodb/engine/query.ts';
import { retryConflicts, unconditional, type Write, write } from '#shared/storage/dynamodb/engine/transaction.ts';
import { botTotalsKey, countedKey, countedRange } from '#shared/storage/dynamodb/keys/workspace.ts';
import type { BotRef } from './botRef.ts';
import { findBot } from './bots.ts';
import { addToTotals, fillTotals, gaugeChanges, type TotalsChange } from './botTotals.ts';

export interface StreamedChange {
  token: string;
  atMs: number;
  change: Partial<TotalsChange>;
}

/** Changes of this span share an item with their tokens. */
const SPAN_MS = 10_000;
/** Exceeds the stream's retention and the lifetime of dead letters. */
const REMEMBERED_SECONDS = 30 * 86_400;
const TOKENS_TOGETHER = 1_000;
const SPANS_TOGETHER = 20;

export async function countFromStream(bot: BotRef, changes: readonly StreamedChange[], nowMs: number): Promise<void> {
  const bySpan = [...Map.groupBy(changes, ({ atMs }) => Math.floor(atMs / SPAN_MS) * SPAN_MS)];
  const parts = bySpan.flatMap(([spanMs, own]) => chunksOf(own, TOKENS_TOGETHER).map(some => ({ spanMs, some })));
  for (const together of chunksOf(parts, SPANS_TOGETHER)) await countSpans(bot, together, nowMs);
}

interface Span {
  spanMs: number;
  some: readonly StreamedChange[];
}

const countSpans = (bot: BotRef, spans: readonly Span[], nowMs: number): Promise<void> =>
  retryConflicts(async () => {
    const totals = await readItem(botTotalsKey(bot.id));
    if (totals?.hasEnded) return;
    // The bot is new or deleted, which a cached record does not show.
    if (!totals && !(await isThere(bot.id))) return;
    const times = spans.map(({ spanMs }) => spanMs);
    const counted = await findTokens(bot.id, Math.min(...times), Math.max(...times));
    const fresh = spans
      .map(({ spanMs, some }) => ({ spanMs, some: some.filter(({ token }) => !counted.has(token)) }))
      .filter(({ some }) => some.length > 0);
    if (fresh.length === 0) return;
    const sum = sumOf(fresh.flatMap(({ some }) => some));
    const workspaceId: string = totals?.workspaceId ?? bot.workspaceId;
    await write([
      addToTotals(bot.id, workspaceId, sum, { seen: totals?.turn, next: randomText(TURN_LENGTH) }),
      ...gaugeChanges(workspaceId, bot.id, sum, { nowMs, hasHappened: true }),
      ...fresh.map(({ spanMs, some }) => rememberTokens(bot.id, spanMs, some, nowMs)),
    ]);
  });
const TURN_LENGTH = 12;

async function isThere(botId: string): Promise<boolean> {
  const bot = await findBot(botId);
  return bot !== undefined && bot.deletedAtMs === undefined;
}

const sumOf = (changes: readonly StreamedChange[]): TotalsChange => {
  const sum = fillTotals({});
  for (const { change } of changes) {
    for (const name of Object.keys(change) as (keyof TotalsChange)[]) sum[name] += change[name] ?? 0;
  }
  return sum;
};

const rememberTokens = (botId: string, spanMs: number, some: readonly StreamedChange[], nowMs: number): Write => ({
  put: {
    Item: {
      ...countedKey(botId, spanMs, randomText(TURN_LENGTH)),
      tokens: some.map(({ token }) => token).join(' '),
      ttl: Math.ceil(nowMs / 1000) + REMEMBERED_SECONDS,
    },
  },
  onRefused: unconditional,
});

async function findTokens(botId: string, fromMs: number, toMs: number): Promise<Set<string>> {
  const tokens = new Set<string>();
  const query = { ...between(countedRange(botId, fromMs, toMs)), ConsistentRead: true };
  for await (const item of queryAll(query)) for (const token of String(item.tokens).split(' ')) tokens.add(token);
  return tokens;
}
