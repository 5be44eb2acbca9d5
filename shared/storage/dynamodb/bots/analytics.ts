import * as z from 'zod/mini';
import { queryAll } from '#shared/storage/dynamodb/engine/query.ts';
import { unconditional, type Write } from '#shared/storage/dynamodb/engine/transaction.ts';
import { analyticsEnd, analyticsKey, analyticsPk, dayOfAnalytics } from '#shared/storage/dynamodb/keys/workspace.ts';

const COUNTERS = ['newUsers', 'returningUsers', 'sessions', 'userMessages', 'botMessages', 'events'] as const;
export type DayCounts = Partial<Record<(typeof COUNTERS)[number], number>>;
/** With the counts of `trackAnalytics` by name. */
export type DayAnalytics = DayCounts & { custom?: Record<string, number> };

const Day = z.object({
  sk: z.string(),
  newUsers: z.optional(z.number()),
  returningUsers: z.optional(z.number()),
  sessions: z.optional(z.number()),
  userMessages: z.optional(z.number()),
  botMessages: z.optional(z.number()),
  events: z.optional(z.number()),
  custom: z.optional(z.record(z.string(), z.number())),
});

/** Adds to a day's counters. @param of the id of the counted record, which determines the shard */
export const addDailyCounts = (botId: string, day: string, of: string, counts: DayCounts): Write => {
  const given = COUNTERS.filter(name => counts[name]);
  return {
    update: {
      Key: analyticsKey(botId, day, of),
      UpdateExpression: `ADD ${given.map(name => `${name} :${name}`).join(', ')}`,
      ExpressionAttributeValues: Object.fromEntries(given.map(name => [`:${name}`, counts[name]])),
    },
    onRefused: unconditional,
  };
};

export async function listAnalytics(
  botId: string,
  firstDay: string,
  lastDay: string,
): Promise<Map<string, DayAnalytics>> {
  const days = new Map<string, DayAnalytics>();
  const query = {
    KeyConditionExpression: 'pk = :pk AND sk BETWEEN :first AND :last',
    ExpressionAttributeValues: { ':pk': analyticsPk(botId), ':first': firstDay, ':last': analyticsEnd(lastDay) },
    ConsistentRead: true,
  };
  for await (const item of queryAll(query)) {
    const { sk, ...counts } = Day.parse(item);
    const sum = days.get(dayOfAnalytics(sk)) ?? {};
    for (const name of COUNTERS) sum[name] = (sum[name] ?? 0) + (counts[name] ?? 0);
    if (counts.custom) sum.custom = counts.custom;
    days.set(dayOfAnalytics(sk), sum);
  }
  return days;
}
