/** Composes parts of repositories into an atomic write. A single part is a plain call, at half the write units. */

import { randomUUID } from 'node:crypto';
import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import {
  ConditionalCheckFailedException,
  TransactionCanceledException,
  TransactionConflictException,
  TransactionInProgressException,
} from '@aws-sdk/client-dynamodb';
import {
  DeleteCommand,
  type DeleteCommandInput,
  PutCommand,
  type PutCommandInput,
  TransactWriteCommand,
  UpdateCommand,
  type UpdateCommandInput,
} from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { clock } from '#shared/core/clock.ts';
import { environment } from '#shared/core/environment.ts';
import type { Key } from '#shared/storage/dynamodb/keys/table.ts';
import { documents } from './client.ts';
import { requireTransaction, valueFault, valuesOf } from './itemLimits.ts';
import { commitStage, findStagedKeys, forgetStages } from './stagedObjects.ts';
import { isWrittenByPut, isWrittenByUpdate, withPutId, withUpdateId } from './writeIds.ts';

type Item = Record<string, unknown>;
type Conditions = Pick<
  UpdateCommandInput,
  'ConditionExpression' | 'ExpressionAttributeNames' | 'ExpressionAttributeValues'
>;

type Part =
  | { put: { Item: Key & Item } & Conditions }
  | { update: { Key: Key; UpdateExpression: string } & Conditions }
  | { remove: { Key: Key } & Conditions }
  | { check: { Key: Key; ConditionExpression: string } & Conditions };

/** A part of a write. `onRefused` returns the error of a failed condition, from the item at that moment. */
export type Write = Part & { onRefused: (existing: Item | undefined) => Error };

export interface Check {
  key: Key;
  /** Names and values must not collide with those of writes. */
  conditions: Conditions & { ConditionExpression: string };
  holds(existing: Item | undefined): boolean;
  refusal(): Error;
}

/** Adds checks. DynamoDB allows one operation per item, so a written item's check joins its condition. */
export function withChecks(parts: readonly Write[], checks: readonly Check[]): Write[] {
  if (parts.length === 0) return [];
  const all = [...parts];
  for (const { key, conditions, holds, refusal } of checks) {
    const index = all.findIndex(part => isSameKey(keyOf(part), key));
    const part = all[index];
    if (part) {
      const onRefused: Write['onRefused'] = existing => (holds(existing) ? part.onRefused(existing) : refusal());
      all[index] = { ...withConditions(part, conditions), onRefused };
    } else all.push({ check: { Key: key, ...conditions }, onRefused: refusal });
  }
  return all;
}

const keyOf = (part: Write): Key =>
  'put' in part
    ? part.put.Item
    : 'update' in part
      ? part.update.Key
      : 'remove' in part
        ? part.remove.Key
        : part.check.Key;
const isSameKey = (a: Key, b: Key) => a.pk === b.pk && a.sk === b.sk;

function withConditions(part: Part, added: Check['conditions']): Part {
  const joined = <P extends Conditions>(own: P) => ({
    ...own,
    ConditionExpression: own.ConditionExpression
      ? `(${own.ConditionExpression}) AND (${added.ConditionExpression})`
      : added.ConditionExpression,
    ExpressionAttributeNames: { ...own.ExpressionAttributeNames, ...added.ExpressionAttributeNames },
    ExpressionAttributeValues: { ...own.ExpressionAttributeValues, ...added.ExpressionAttributeValues },
  });
  if ('put' in part) return { put: joined(part.put) };
  if ('update' in part) return { update: joined(part.update) };
  if ('remove' in part) return { remove: joined(part.remove) };
  return { check: joined(part.check) };
}

/** A concurrent write prevented this one. The caller must read and compute again. */
export class WriteConflict extends Error {
  override readonly name = 'WriteConflict';

  constructor() {
    super('A concurrent write came first.');
  }
}

const CONFLICT_ATTEMPTS = 15;
/** The SDK already retries each attempt. */
const IN_PROGRESS_ATTEMPTS = 5;

/** Retries after each {@link WriteConflict}, with exponential backoff and jitter. @throws the last conflict */
export async function retryConflicts<T>(run: () => Promise<T>, attempts = CONFLICT_ATTEMPTS): Promise<T> {
  for (let count = 1; ; count++) {
    try {
      return await run();
    } catch (error) {
      if (!(error instanceof WriteConflict) || count === attempts) throw error;
      await clock.sleep(Math.random() * 10 * 2 ** Math.min(count, 8));
    }
  }
}

export const unconditional = () => new Error('A write without a condition was rejected.');

/**
 * Writes all parts or none, and deletes their objects' stages. `objects` are keys within a text of a part.
 * @throws the `onRefused` error of the first failed condition, {@link WriteConflict}, or an ApiError for an invalid
 * value
 */
export async function write(parts: Write[], objects: readonly string[] = []): Promise<void> {
  if (parts.length === 0) return;
  const staged = findStagedKeys(parts.map(writtenValues), objects);
  const all: Write[] = [...parts, ...staged.map(key => ({ ...commitStage(key), onRefused: unconditional }))];
  requireTransaction(all);
  const marked = all.length === 1 ? [marking(all[0]!)] : all;
  try {
    await (marked.length === 1 ? writeOne(marked[0]!) : writeTogether(marked));
  } catch (error) {
    const meaning = meaningOf(error, marked);
    if (meaning) throw meaning;
  }
  forgetStages(staged);
}

/** Returns the values of a part. Those of an update's condition are included, but never name a new object. */
const writtenValues = (part: Write) =>
  'put' in part ? part.put.Item : 'update' in part ? part.update.ExpressionAttributeValues : undefined;

export const isConditionFailed = (error: unknown): error is ConditionalCheckFailedException =>
  error instanceof ConditionalCheckFailedException;

export async function tryWrite(part: Part): Promise<boolean> {
  try {
    await write([{ ...part, onRefused: () => new ConditionFailed() }]);
    return true;
  } catch (error) {
    if (error instanceof ConditionFailed) return false;
    throw error;
  }
}

class ConditionFailed extends Error {
  override readonly name = 'ConditionFailed';
}

function writeOne(part: Write): Promise<unknown> {
  const common = { TableName: environment.tableName, ReturnValuesOnConditionCheckFailure: 'ALL_OLD' } as const;
  if ('put' in part) return documents.send(new PutCommand({ ...common, ...part.put } as PutCommandInput));
  if ('update' in part) return documents.send(new UpdateCommand({ ...common, ...part.update }));
  if ('remove' in part) return documents.send(new DeleteCommand({ ...common, ...part.remove } as DeleteCommandInput));
  throw new Error('A condition check cannot be written alone.');
}

async function writeTogether(parts: Write[]): Promise<void> {
  const common = { TableName: environment.tableName, ReturnValuesOnConditionCheckFailure: 'ALL_OLD' } as const;
  const command = new TransactWriteCommand({
    ClientRequestToken: randomUUID(),
    TransactItems: parts.map(part => {
      if ('put' in part) return { Put: { ...common, ...part.put } };
      if ('update' in part) return { Update: { ...common, ...part.update } };
      if ('remove' in part) return { Delete: { ...common, ...part.remove } };
      return { ConditionCheck: { ...common, ...part.check } };
    }),
  });
  for (let count = 1; ; count++) {
    try {
      await documents.send(command);
      return;
    } catch (error) {
      // An earlier attempt, whose response was lost, has not finished. Computing the write again could write it twice.
      if (!(error instanceof TransactionInProgressException) || count === IN_PROGRESS_ATTEMPTS) throw error;
      await clock.sleep(50 * 2 ** count);
    }
  }
}

/** Returns the error for a failure, or undefined if the write had succeeded before a retry. */
function meaningOf(error: unknown, parts: Write[]): unknown {
  if (isConditionFailed(error)) {
    const existing = plainItem(error.Item);
    const wasSentAgain = (error.$metadata.attempts ?? 1) > 1;
    return wasSentAgain && isDone(parts[0]!, existing) ? undefined : parts[0]!.onRefused(existing);
  }
  if (!(error instanceof TransactionCanceledException)) {
    return valueFault(error, Object.assign({}, ...parts.map(valuesOf))) ?? asConflict(error);
  }

  const reasons = error.CancellationReasons ?? [];
  const refused = reasons.findIndex(reason => reason.Code === 'ConditionalCheckFailed');
  if (refused >= 0) return parts[refused]!.onRefused(plainItem(reasons[refused]!.Item));
  if (reasons.some(reason => TRANSIENT.has(reason.Code ?? ''))) return new WriteConflict();
  const invalid = reasons.findIndex(reason => reason.Code === 'ValidationError');
  return (invalid >= 0 && valueFault(new Error(reasons[invalid]!.Message), valuesOf(parts[invalid]!))) || error;
}

const TRANSIENT = new Set(['TransactionConflict', 'ThrottlingError', 'ProvisionedThroughputExceeded']);

export const asConflict = (error: unknown): unknown =>
  error instanceof TransactionConflictException ? new WriteConflict() : error;

/** Marks a single write, so that a retry recognizes it (`writeIds.ts`). */
function marking(part: Write): Write {
  if ('put' in part && part.put.ConditionExpression) return { ...part, put: withPutId(part.put) };
  return 'update' in part ? { ...part, update: withUpdateId(part.update) } : part;
}

function isDone(part: Write, existing: Item | undefined): boolean {
  if ('put' in part) return isWrittenByPut(existing, part.put);
  if ('update' in part) return isWrittenByUpdate(existing, part.update);
  return 'remove' in part && existing === undefined;
}

/** The SDK returns the old item marshalled on some paths. Its `pk` is then an object. */
export const plainItem = (item: Item | undefined): Item | undefined =>
  item && typeof item.pk === 'object' ? unmarshall(item as Record<string, AttributeValue>) : item;
