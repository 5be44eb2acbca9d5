/**
 * What a workspace uses, exactly: every change is one addition, in the same transaction as what it counts.
 *
 * A level (bots, members, stored bytes …) is there until it is taken away: its present value and its quota stand in one
 * item, so that a quota holds against any number of writers, and its changes are kept by month and bot besides. A flow
 * (messages …) begins anew each month and has the changes only.
 */
import * as z from 'zod/mini';
import {
  levelKey,
  levelPrefix,
  monthOf,
  splitUsageSk,
  usageKey,
  usagePk,
  usagePrefix,
  workspacePk,
} from '#shared/dynamodb/keys/workspace.ts';
import { queryAll, readItem, readItems, startingWith } from '#shared/dynamodb/query.ts';
import { unconditional, type Write } from '#shared/dynamodb/transaction.ts';
import { ApiError } from '#shared/errors.ts';

/** The contract's types of usage. */
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

/** What can have a quota: the levels, and the messages of a month. */
export const hasQuota = (type: UsageType) => isLevel(type) || type === 'invocation_calls';

const LEVELS = new Set<UsageType>([
  'storage_count',
  'bot_count',
  'knowledgebase_vector_storage',
  'table_row_count',
  'workspace_member_count',
  'integrations_owned_count',
  'indexed_file_count',
]);
const isLevel = (type: UsageType) => LEVELS.has(type);

/** The quota of what has none: the wire wants a number, and JSON has no infinity. */
export const UNLIMITED = Number.MAX_SAFE_INTEGER;

/** The workspace's own changes, which are no bot's. */
export const NO_BOT = '-';

/** One addition to a counter of changes. */
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

/**
 * A change of a level, refused with QuotaExceeded when the quota does not have it.
 * @param isCertain it has happened already, and is counted whatever the quota says
 */
export const changeLevel = (
  workspaceId: string,
  type: UsageType,
  change: number,
  { botId = NO_BOT, nowMs, isCertain = false }: { botId?: string; nowMs: number; isCertain?: boolean },
): Write[] => [
  {
    update: {
      Key: levelKey(workspaceId, type),
      // `room` is what the quota leaves: an expression can compare no sum.
      UpdateExpression:
        'SET #value = if_not_exists(#value, :none) + :change, room = if_not_exists(room, :all) - :change',
      ...(change > 0 && !isCertain ? { ConditionExpression: 'attribute_not_exists(room) OR room >= :change' } : {}),
      ExpressionAttributeNames: { '#value': 'value' },
      ExpressionAttributeValues: { ':change': change, ':none': 0, ':all': UNLIMITED },
    },
    onRefused: existing =>
      new ApiError('QuotaExceeded', `The workspace's quota of ${type} is used up.`, {
        metadata: { type, quota: existing?.quota, value: existing?.value },
      }),
  },
  addUsage(workspaceId, type, change, { botId, of: botId, nowMs }),
];

/** Sets a quota, or lifts it. What is above it stays; nothing is added. */
export const setQuota = (workspaceId: string, type: UsageType, quota: number | undefined): Write => ({
  update: {
    Key: levelKey(workspaceId, type),
    UpdateExpression: `SET room = :quota - if_not_exists(#value, :none)${quota === undefined ? ' REMOVE quota' : ', quota = :quota'}`,
    ExpressionAttributeNames: { '#value': 'value' },
    ExpressionAttributeValues: { ':quota': quota ?? UNLIMITED, ':none': 0 },
  },
  onRefused: unconditional,
});

const Level = z.object({ sk: z.string(), value: z._default(z.number(), 0), quota: z.optional(z.number()) });
const Changes = z.object({ sk: z.string(), n: z.number() });

/** The quota of each type that has one. */
export async function findQuotas(workspaceId: string): Promise<Map<string, number>> {
  const quotas = new Map<string, number>();
  const query = { ...startingWith(workspacePk(workspaceId), levelPrefix), ConsistentRead: true };
  for await (const item of queryAll(query)) {
    const { sk, quota } = Level.parse(item);
    if (quota !== undefined) quotas.set(sk.slice(levelPrefix.length), quota);
  }
  return quotas;
}

/** The quota of one type, if it has one. */
export async function findQuota(workspaceId: string, type: UsageType): Promise<number | undefined> {
  const item = await readItem(levelKey(workspaceId, type));
  return item && Level.parse(item).quota;
}

/** The present value of one level. */
export async function findLevel(workspaceId: string, type: UsageType): Promise<number> {
  const item = await readItem(levelKey(workspaceId, type));
  return item ? Level.parse(item).value : 0;
}

/** How many bots each of some workspaces has. */
export async function countBots(workspaceIds: readonly string[]): Promise<number[]> {
  const items = await readItems(workspaceIds.map(id => levelKey(id, 'bot_count')));
  return items.map(item => (item ? Level.parse(item).value : 0));
}

export interface MonthlyChange {
  month: string;
  botId: string;
  change: number;
}

/** All changes of a type, by month and bot. */
export async function listChanges(workspaceId: string, type: UsageType): Promise<MonthlyChange[]> {
  const sums = new Map<string, MonthlyChange>();
  const query = { ...startingWith(usagePk(workspaceId), usagePrefix(type)), ConsistentRead: true };
  for await (const item of queryAll(query)) {
    const { sk, n } = Changes.parse(item);
    const { month, botId } = splitUsageSk(sk);
    const known = sums.get(`${month}#${botId}`);
    if (known) known.change += n;
    else sums.set(`${month}#${botId}`, { month, botId, change: n });
  }
  return [...sums.values()];
}

/** What was used in a month: of a flow what came in it, of a level what was there at its end. */
export const valueIn = (type: UsageType, month: string, changes: readonly MonthlyChange[]): number =>
  changes
    .filter(each => (isLevel(type) ? each.month <= month : each.month === month))
    .reduce((sum, { change }) => sum + change, 0);
