/**
 * Each change is an addition in the transaction of the counted record (docs/api/admin.md#usage). A gauge (bots,
 * stored bytes …) persists: its value and quota share an item, which enforces the quota. A counter (messages …) starts
 * from zero each month and only has changes.
 */
import * as z from 'zod/mini';
import { monthOf } from '#shared/core/calendar.ts';
import { ApiError } from '#shared/core/errors.ts';
import {
  between,
  type Item,
  partitionQuery,
  queryAll,
  readItem,
  readItems,
} from '#shared/storage/dynamodb/engine/query.ts';
import { unconditional, type Write } from '#shared/storage/dynamodb/engine/transaction.ts';
import { gaugeKey, gaugesPk, splitUsageSk, usageKey, usageRange } from '#shared/storage/dynamodb/keys/workspace.ts';

export const USAGE_TYPES = [
  'invocation_timeout',
  'invocation_calls',
  'storage_count',
  'bot_count',
  'knowledgebase_vector_storage',
  'workspace_ratelimit',
  'table_row_count',
  'workspace_member_count',
  'integrations_owned_count',
  'ai_spend',
  'openai_spend',
  'bing_search_spend',
  'always_alive',
  'indexed_file_count',
  'file_max_size_bytes',
] as const;
export type UsageType = (typeof USAGE_TYPES)[number];

/** Returns true for gauges, and for monthly messages and spend. */
export const hasQuota = (type: UsageType) => isGauge(type) || type === 'invocation_calls' || type === 'ai_spend';

const GAUGES = new Set<UsageType>([
  'storage_count',
  'bot_count',
  'knowledgebase_vector_storage',
  'table_row_count',
  'workspace_member_count',
  'integrations_owned_count',
  'indexed_file_count',
]);
const isGauge = (type: UsageType) => GAUGES.has(type);

/** Represents no quota on the wire, because JSON has no infinity. */
export const UNLIMITED = Number.MAX_SAFE_INTEGER;

/** Replaces the bot's id in changes of the workspace itself. */
export const NO_BOT = '-';

/** @param options.of the id of the counted record, which determines the shard */
export const addUsage = (
  workspaceId: string,
  type: UsageType,
  change: number,
  { botId, of, nowMs }: { botId: string; of: string; nowMs: number },
): Write => ({
  update: {
    Key: usageKey(workspaceId, type, monthOf(nowMs), botId, of),
    UpdateExpression: 'ADD n :change',
    ExpressionAttributeValues: { ':change': change },
  },
  onRefused: unconditional,
});

/** Fails with QuotaExceeded, unless the change `hasHappened` and cannot be undone. */
export const changeGauge = (
  workspaceId: string,
  type: UsageType,
  change: number,
  { botId = NO_BOT, nowMs, hasHappened = false }: { botId?: string; nowMs: number; hasHappened?: boolean },
): Write[] => [
  {
    update: {
      Key: gaugeKey(workspaceId, type),
      // `room` is the quota minus the value, because a condition cannot compare a sum.
      UpdateExpression:
        'SET #value = if_not_exists(#value, :none) + :change, room = if_not_exists(room, :all) - :change',
      ...(change > 0 && !hasHappened ? { ConditionExpression: 'attribute_not_exists(room) OR room >= :change' } : {}),
      ExpressionAttributeNames: { '#value': 'value' },
      ExpressionAttributeValues: { ':change': change, ':none': 0, ':all': UNLIMITED },
    },
    onRefused: existing => quotaExceeded(type, existing),
  },
  addUsage(workspaceId, type, change, { botId, of: botId, nowMs }),
];

const quotaExceeded = (type: UsageType, gauge: Item | undefined) =>
  new ApiError('QuotaExceeded', `The workspace's quota of ${type} is exhausted.`, {
    metadata: { type, quota: gauge?.quota, value: gauge?.value },
  });

/** Fails early where {@link changeGauge} would fail, before an object is stored. @throws ApiError QuotaExceeded */
export async function requireRoom(workspaceId: string, type: UsageType, change: number): Promise<void> {
  requireRoomIn(await readItem(gaugeKey(workspaceId, type)), type, change);
}

export function requireRoomIn(gauge: Item | undefined, type: UsageType, change: number): void {
  if (change > 0 && gauge?.room !== undefined && gauge.room < change) throw quotaExceeded(type, gauge);
}

/** Sets or removes a quota. A value above it is kept, but cannot increase. */
export const setQuota = (workspaceId: string, type: UsageType, quota: number | undefined): Write => ({
  update: {
    Key: gaugeKey(workspaceId, type),
    UpdateExpression: `SET room = :quota - if_not_exists(#value, :none)${quota === undefined ? ' REMOVE quota' : ', quota = :quota'}`,
    ExpressionAttributeNames: { '#value': 'value' },
    ExpressionAttributeValues: { ':quota': quota ?? UNLIMITED, ':none': 0 },
  },
  onRefused: unconditional,
});

export const openGauges = (workspaceId: string, quotas: Partial<Record<UsageType, number>>, nowMs: number): Write[] => {
  const values: Partial<Record<UsageType, number>> = { workspace_member_count: 1 };
  const types = new Set([...Object.keys(values), ...Object.keys(quotas)] as UsageType[]);
  return [
    ...[...types].map((type): Write => {
      const { [type]: value = 0 } = values;
      const { [type]: quota } = quotas;
      return {
        put: {
          Item: {
            ...gaugeKey(workspaceId, type),
            value,
            room: (quota ?? UNLIMITED) - value,
            ...(quota === undefined ? {} : { quota }),
          },
        },
        onRefused: unconditional,
      };
    }),
    addUsage(workspaceId, 'workspace_member_count', 1, { botId: NO_BOT, of: NO_BOT, nowMs }),
  ];
};

const Gauge = z.object({ sk: z.string(), value: z._default(z.number(), 0), quota: z.optional(z.number()) });
const Changes = z.object({ sk: z.string(), n: z.number() });

export async function findQuotas(workspaceId: string): Promise<Map<string, number>> {
  const quotas = new Map<string, number>();
  const query = { ...partitionQuery(gaugesPk(workspaceId)), ConsistentRead: true };
  for await (const item of queryAll(query)) {
    const { sk, quota } = Gauge.parse(item);
    if (quota !== undefined) quotas.set(sk, quota);
  }
  return quotas;
}

export async function findQuota(workspaceId: string, type: UsageType): Promise<number | undefined> {
  const item = await readItem(gaugeKey(workspaceId, type));
  return item && Gauge.parse(item).quota;
}

export async function findGauge(workspaceId: string, type: UsageType): Promise<number> {
  const item = await readItem(gaugeKey(workspaceId, type));
  return item ? Gauge.parse(item).value : 0;
}

export async function countBots(workspaceIds: readonly string[]): Promise<number[]> {
  const items = await readItems(workspaceIds.map(id => gaugeKey(id, 'bot_count')));
  return items.map(item => (item ? Gauge.parse(item).value : 0));
}

export interface MonthlyChange {
  month: string;
  botId: string;
  change: number;
}

/** Returns the changes for {@link valueIn}: those of the months for a counter, all until then for a gauge. */
export async function listChanges(
  workspaceId: string,
  type: UsageType,
  months: readonly string[],
): Promise<MonthlyChange[]> {
  const sorted = [...months].sort();
  const range = usageRange(workspaceId, type, isGauge(type) ? '' : sorted[0]!, sorted.at(-1)!);
  const sums = new Map<string, MonthlyChange>();
  const query = { ...between(range), ConsistentRead: true };
  for await (const item of queryAll(query)) {
    const { sk, n } = Changes.parse(item);
    const { month, botId } = splitUsageSk(sk);
    const known = sums.get(`${month}#${botId}`);
    if (known) known.change += n;
    else sums.set(`${month}#${botId}`, { month, botId, change: n });
  }
  return [...sums.values()];
}

/** Returns a counter's sum within the month, or a gauge's value at its end. */
export const valueIn = (type: UsageType, month: string, changes: readonly MonthlyChange[]): number =>
  changes
    .filter(each => (isGauge(type) ? each.month <= month : each.month === month))
    .reduce((sum, { change }) => sum + change, 0);
