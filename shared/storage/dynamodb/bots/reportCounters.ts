/**
 * Counters of reports (docs/data-model.md#reports): one item per UTC day and shard of a bot, and one per UTC day and
 * member. An attribute counts one metric in one hour: `s13` the handoffs that started in the hour 13. A duration has
 * its sum in seconds (`w13`) and a histogram (`w13a` to `w13l`), and ratings have one counter per value (`k13a` to
 * `k13e`). A full item has about 8 KB, a typical one less than 1 KB.
 */

import { dayOf, HOUR_MS } from '#shared/core/calendar.ts';
import { between, type Item, queryPage } from '#shared/storage/dynamodb/engine/query.ts';
import { unconditional, type Write } from '#shared/storage/dynamodb/engine/transaction.ts';
import {
  botReportKey,
  memberReportKey,
  type ReportSubject,
  reportRange,
  splitReportSk,
} from '#shared/storage/dynamodb/keys/workspace.ts';

const COUNTERS = { conversations: 'c', handedOver: 'f', started: 's', assigned: 'a', resolved: 'v' } as const;
const DURATIONS = { waiting: 'w', firstResponse: 'r', resolution: 'd' } as const;
const RATINGS = 'k';
export type Counter = keyof typeof COUNTERS;
export type Duration = keyof typeof DURATIONS;
export const COUNTER_NAMES = Object.keys(COUNTERS) as Counter[];
export const DURATION_NAMES = Object.keys(DURATIONS) as Duration[];

/** Upper bounds of the buckets, in seconds. The last bucket has none. */
export const BUCKET_SECONDS = [30, 60, 120, 300, 900, 1_800, 3_600, 7_200, 14_400, 28_800, 86_400] as const;
export const RATING_VALUES = [1, 2, 3, 4, 5] as const;
const PLACES = 'abcdefghijkl';

/** One part of an attribute's name is the hour of `atMs`. */
interface Increment {
  atMs: number;
  letter: string;
  place?: string;
  amount: number;
}

export const countOne = (counter: Counter, atMs: number, amount = 1): Increment[] => [
  { atMs, letter: COUNTERS[counter], amount },
];

/** Counts a duration from `sinceMs`, in the hour of its end. Clocks may differ, so it is at least 0. */
export function countDuration(duration: Duration, sinceMs: number, atMs: number): Increment[] {
  const seconds = Math.max(0, Math.round((atMs - sinceMs) / 1_000));
  const bucket = BUCKET_SECONDS.findIndex(bound => seconds < bound);
  const place = PLACES.at(bucket)!;
  const letter = DURATIONS[duration];
  return [
    { atMs, letter, place, amount: 1 },
    { atMs, letter, amount: seconds },
  ];
}

/** @param amount -1 removes a replaced rating */
export const countRating = (value: number, atMs: number, amount: 1 | -1 = 1): Increment[] => [
  { atMs, letter: RATINGS, place: PLACES[value - 1]!, amount },
];

/** Adds to the counters of a bot, with one write per UTC day. @param conversationId selects the shard */
export const addToBot = (botId: string, conversationId: string, increments: readonly Increment[]): Write[] =>
  writesOf(increments, day => botReportKey(botId, day, conversationId));

/** Adds to the counters of a member, and stores the current name, by which reports show them. */
export const addToMember = (
  botId: string,
  { id, name }: { id: string; name: string },
  increments: readonly Increment[],
): Write[] => writesOf(increments, day => memberReportKey(botId, day, id), name);

function writesOf(
  increments: readonly Increment[],
  keyOf: (day: string) => { pk: string; sk: string },
  name?: string,
): Write[] {
  const days = Map.groupBy(increments, ({ atMs }) => dayOf(atMs));
  return [...days].flatMap(([day, own]) => {
    const sums = new Map<string, number>();
    for (const { atMs, letter, place = '', amount } of own) {
      const attribute = `${letter}${new Date(atMs).toISOString().slice(11, 13)}${place}`;
      sums.set(attribute, (sums.get(attribute) ?? 0) + amount);
    }
    const added = [...sums].filter(([, amount]) => amount !== 0);
    if (added.length === 0) return [];
    const add = `ADD ${added.map(([attribute]) => `${attribute} :${attribute}`).join(', ')}`;
    return [
      {
        update: {
          Key: keyOf(day),
          UpdateExpression: name === undefined ? add : `SET #name = :name ${add}`,
          ...(name === undefined ? {} : { ExpressionAttributeNames: { '#name': 'name' } }),
          ExpressionAttributeValues: {
            ...(name === undefined ? {} : { ':name': name }),
            ...Object.fromEntries(added.map(([attribute, amount]) => [`:${attribute}`, amount])),
          },
        },
        onRefused: unconditional,
      },
    ];
  });
}

/** One counter of an item: a metric, a bucket of its histogram, or a rating. */
export type Count = { atMs: number; amount: number } & (
  | { counter: Counter }
  | { duration: Duration; bucket?: number | undefined }
  | { rating: number }
);

export interface CountersOfDay {
  /** The account of a member, or the shard of a bot. */
  of: string;
  name: string | undefined;
  counts: Count[];
}

const ATTRIBUTE = /^([a-z])(\d\d)([a-l])?$/;
const byLetter = <T extends string>(letters: Record<T, string>) =>
  new Map((Object.entries(letters) as [T, string][]).map(([name, letter]) => [letter, name]));
const COUNTER_OF = byLetter(COUNTERS);
const DURATION_OF = byLetter(DURATIONS);

/** Ignores attributes that are no counters, such as those of a forged import. */
function parseCounters(item: Item): CountersOfDay {
  const { day, of } = splitReportSk(String(item.sk));
  const startMs = Date.parse(`${day}T00:00:00Z`);
  const counts = Object.entries(item).flatMap(([attribute, amount]): Count[] => {
    const [, letter = '', hour = '', place] = ATTRIBUTE.exec(attribute) ?? [];
    const atMs = startMs + Number(hour) * HOUR_MS;
    if (letter === '' || typeof amount !== 'number' || Number(hour) > 23 || Number.isNaN(atMs)) return [];
    const at = { atMs, amount };
    const counter = COUNTER_OF.get(letter);
    if (counter) return place === undefined ? [{ ...at, counter }] : [];
    const bucket = place === undefined ? undefined : PLACES.indexOf(place);
    const duration = DURATION_OF.get(letter);
    if (duration) return [{ ...at, duration, bucket }];
    const isRating = letter === RATINGS && bucket !== undefined && bucket < RATING_VALUES.length;
    return isRating ? [{ ...at, rating: bucket + 1 }] : [];
  });
  return { of, name: typeof item.name === 'string' ? item.name : undefined, counts };
}

/** Pages of the counters of UTC days, from the latest day. Eventually consistent, at half the price. */
export async function* pagesOfCounters(
  botId: string,
  subject: ReportSubject,
  firstDay: string,
  lastDay: string,
): AsyncGenerator<CountersOfDay[]> {
  let after: Item | undefined;
  do {
    const { items, next } = await queryPage({
      ...between(reportRange(botId, subject, firstDay, lastDay)),
      ScanIndexForward: false,
      ExclusiveStartKey: after,
    });
    yield items.map(parseCounters);
    after = next;
  } while (after);
}
