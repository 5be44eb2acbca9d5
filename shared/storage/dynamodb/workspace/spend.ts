/**
 * Monthly ceilings: the operator's quota of `ai_spend`, and the members' `spendingLimit`. They share an item with the
 * spend, so that one conditional write decides races (docs/operations/search-and-models.md#spend). Amounts are integer
 * billionths of a US dollar. `room` and `limitRoom` are a ceiling minus the spend, because a condition cannot compare a
 * sum.
 */
import { monthOf } from '#shared/core/calendar.ts';
import { ApiError } from '#shared/core/errors.ts';
import type { Item } from '#shared/storage/dynamodb/engine/query.ts';
import {
  tryWrite,
  unconditional,
  type Write,
  WriteConflict,
  write,
} from '#shared/storage/dynamodb/engine/transaction.ts';
import { gaugeKey } from '#shared/storage/dynamodb/keys/workspace.ts';
import { UNLIMITED } from './usage.ts';

const TYPE = 'ai_spend';
export const NANODOLLARS = 1_000_000_000;

export async function reserveSpend(workspaceId: string, amount: number, nowMs: number): Promise<void> {
  const month = monthOf(nowMs);
  try {
    await write([addSpend(workspaceId, amount, month)]);
  } catch (error) {
    if (!(error instanceof EarlierMonth)) throw error;
    await write([startMonth(workspaceId, amount, { from: error.month, to: month })]);
  }
}

/** Returns the unused part of a reservation. No effect in a later month, which starts at zero. */
export const returnSpend = (workspaceId: string, amount: number, nowMs: number): Promise<boolean> =>
  tryWrite({
    update: {
      Key: gaugeKey(workspaceId, TYPE),
      UpdateExpression: 'SET #value = #value - :amount, room = room + :amount, limitRoom = limitRoom + :amount',
      ConditionExpression: '#month = :month',
      ExpressionAttributeNames: NAMES,
      ExpressionAttributeValues: { ':amount': amount, ':month': monthOf(nowMs) },
    },
  });

export const setSpendingLimit = (workspaceId: string, dollars: number): Write => {
  const limit = dollars === 0 ? undefined : Math.min(Math.round(dollars * NANODOLLARS), UNLIMITED);
  return {
    update: {
      Key: gaugeKey(workspaceId, TYPE),
      UpdateExpression: `SET limitRoom = :limit - if_not_exists(#value, :none)${limit === undefined ? ' REMOVE #limit' : ', #limit = :limit'}`,
      ExpressionAttributeNames: { '#value': 'value', '#limit': 'limit' },
      ExpressionAttributeValues: { ':limit': limit ?? UNLIMITED, ':none': 0 },
    },
    onRefused: unconditional,
  };
};

const NAMES = { '#value': 'value', '#month': 'month' };

class EarlierMonth extends Error {
  override readonly name = 'EarlierMonth';
  readonly month: string;

  constructor(month: string) {
    super(`The item counts ${month}.`);
    this.month = month;
  }
}

/** A function with a slow clock counts toward the month that another function has started. */
const addSpend = (workspaceId: string, amount: number, month: string): Write => ({
  update: {
    Key: gaugeKey(workspaceId, TYPE),
    UpdateExpression:
      'SET #value = if_not_exists(#value, :none) + :amount, room = if_not_exists(room, :all) - :amount, ' +
      'limitRoom = if_not_exists(limitRoom, :all) - :amount, #month = if_not_exists(#month, :month)',
    ConditionExpression:
      '(attribute_not_exists(#month) OR #month >= :month) AND (attribute_not_exists(room) OR room >= :amount) ' +
      'AND (attribute_not_exists(limitRoom) OR limitRoom >= :amount)',
    ExpressionAttributeNames: NAMES,
    ExpressionAttributeValues: { ':amount': amount, ':none': 0, ':all': UNLIMITED, ':month': month },
  },
  onRefused: existing =>
    String(existing?.month ?? month) < month
      ? new EarlierMonth(String(existing!.month))
      : ceilingReached(existing, amount, month),
});

const startMonth = (workspaceId: string, amount: number, { from, to }: { from: string; to: string }): Write => ({
  update: {
    Key: gaugeKey(workspaceId, TYPE),
    UpdateExpression:
      'SET #value = :amount, room = if_not_exists(quota, :all) - :amount, ' +
      'limitRoom = if_not_exists(#limit, :all) - :amount, #month = :to',
    ConditionExpression:
      '#month = :from AND (attribute_not_exists(quota) OR quota >= :amount) ' +
      'AND (attribute_not_exists(#limit) OR #limit >= :amount)',
    ExpressionAttributeNames: { ...NAMES, '#limit': 'limit' },
    ExpressionAttributeValues: { ':amount': amount, ':all': UNLIMITED, ':from': from, ':to': to },
  },
  onRefused: existing =>
    existing?.month === from
      ? ceilingReached({ ...existing, value: 0, room: existing.quota, limitRoom: existing.limit }, amount, to)
      : new WriteConflict(),
});

function ceilingReached(existing: Item | undefined, amount: number, month: string): ApiError {
  const { quota, limit, limitRoom, value = 0 } = (existing ?? {}) as Record<string, number | undefined>;
  const isLimit = limit !== undefined && (limitRoom ?? limit) < amount;
  const ceiling = isLimit ? limit : (quota ?? 0);
  const [name, fix] = isLimit
    ? ['spendingLimit', 'raise it with updateWorkspace']
    : ['quota of ai_spend', 'ask the operator to raise it'];
  return new ApiError(
    'QuotaExceeded',
    `The workspace's ${name} for ${month} is ${dollarsOf(ceiling)}, of which ${dollarsOf(value)} are spent or reserved. ` +
      `This call may cost up to ${dollarsOf(amount)}. Lower maxTokens, ${fix}, or wait for the next month.`,
    { metadata: { type: TYPE, quota: ceiling, value, requested: amount } },
  );
}

const dollarsOf = (nanodollars: number) => `US$ ${Number((nanodollars / NANODOLLARS).toPrecision(3))}`;
