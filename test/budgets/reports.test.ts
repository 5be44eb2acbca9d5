/** Bounds of a report: the items that it reads, and their size (docs/data-model.md#reports). */
import { expect, it } from 'vitest';
import { platformApi } from '#infra/gateway/apis.ts';
import type { PlatformOperation } from '#shared/api/operations/platform.ts';
import { mapConcurrently } from '#shared/core/concurrency.ts';
import {
  addToBot,
  addToMember,
  BUCKET_SECONDS,
  COUNTER_NAMES,
  countDuration,
  countOne,
  countRating,
  DURATION_NAMES,
  RATING_VALUES,
} from '#shared/storage/dynamodb/bots/reportCounters.ts';
import { write } from '#shared/storage/dynamodb/engine/transaction.ts';
import { REPORT_SHARDS } from '#shared/storage/dynamodb/keys/workspace.ts';
import { newBot, useSharedPlatform } from '#test/support/platform.ts';
import { callAsBotOrOwner } from './callOperation.ts';
import { counted } from './counter.ts';

useSharedPlatform();

const DAY_MS = 24 * 3_600_000;
const HOUR_MS = 3_600_000;
const FIRST_MS = Date.parse('2025-10-01T00:00:00Z');
const DAYS = 92;
const MEMBERS = 5;
/** Ids of conversations in each shard. */
const CONVERSATIONS = Array.from({ length: 40 }, (_, i) => `convo_${i}`);

const operation = (platformApi.operations as PlatformOperation[]).find(({ name }) => name === 'getInboxReport')!;

/** Ten handoffs of a day, in ten hours. */
const dayOf = (ms: number) =>
  Array.from({ length: 10 }, (_, i) => ms + (8 + i) * HOUR_MS).flatMap(at => [
    ...countOne('started', at),
    ...countOne('assigned', at),
    ...DURATION_NAMES.flatMap(name => countDuration(name, at - 300_000, at)),
  ]);

const sizeOf = (values: Record<string, unknown>) => JSON.stringify(values).length;

it('reads at most four counters of a bot and one per member and day, in few calls', { timeout: 120_000 }, async () => {
  const bot = await newBot();
  const days = Array.from({ length: 2 * DAYS }, (_, i) => FIRST_MS + i * DAY_MS);
  const parts = days.flatMap((ms, i) => [
    ...CONVERSATIONS.flatMap(id => addToBot(bot.id, id, dayOf(ms))).slice(0, 4 * REPORT_SHARDS),
    ...(i < DAYS
      ? []
      : Array.from({ length: MEMBERS }, (_, member) =>
          addToMember(bot.id, { id: `m${member}`, name: 'Ada' }, dayOf(ms)),
        ).flat()),
  ]);
  await mapConcurrently(parts, 20, part => write([part]));
  const path = `/chat/inbox/report?botIds=${bot.id}&from=2026-01-01&to=2026-04-02`;
  await callAsBotOrOwner(operation, bot, { path });

  const { calls, readUnits } = await counted(() => callAsBotOrOwner(operation, bot, { path }));

  // The bot, its counters, those of members, and the list of starts. Each of both queries has at most one more page.
  expect(calls).toBeLessThanOrEqual(6);
  // An item has less than a kilobyte, and four kilobytes cost half a unit.
  const items = 2 * DAYS * REPORT_SHARDS + DAYS * MEMBERS;
  expect(readUnits).toBeLessThanOrEqual((items * 0.5) / 4 + 10);
});

it('keeps a full item below 10 KB', () => {
  const hours = Array.from({ length: 24 }, (_, hour) => FIRST_MS + hour * HOUR_MS);
  const full = hours.flatMap(at => [
    ...COUNTER_NAMES.flatMap(name => countOne(name, at, 100)),
    ...DURATION_NAMES.flatMap(name =>
      [0, ...BUCKET_SECONDS].flatMap(seconds =>
        Array.from({ length: 10 }, () => countDuration(name, at - seconds * 1_000, at)).flat(),
      ),
    ),
    ...RATING_VALUES.flatMap(value => Array.from({ length: 10 }, () => countRating(value, at)).flat()),
  ]);

  const [part, ...others] = addToBot('bot', 'convo_1', full);

  expect(others).toEqual([]);
  const values = 'update' in part! ? part.update.ExpressionAttributeValues! : {};
  expect(Object.keys(values)).toHaveLength(24 * (5 + 3 * 13 + 5));
  // In JSON, quotes and punctuation take four bytes more per attribute than in an item.
  expect(sizeOf(values)).toBeLessThan(10_000 + Object.keys(values).length * 4);
});
