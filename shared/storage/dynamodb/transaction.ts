/**
 * Writes. Repositories compute the parts, operations compose them in sight, and `write` sends them as one atomic whole:
 * a single part as a plain call, which costs half the write units of a transaction.
 */

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
import { documents } from './client.ts';
import { requireTransaction, valueFault, valuesOf } from './itemLimits.ts';
import type { Key } from './keys/table.ts';
import { forgetStages, stagedIn, takeBack } from './stagedObjects.ts';
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

/** One part of a write. `onRefused` gives the error for a failed condition, from the item as it was at that moment. */
export type Write = Part & { onRefused: (existing: Item | undefined) => Error };

/** A condition on an item that a write depends on, whatever the write itself does. */
export interface Check {
  key: Key;
  /** Its names and values are its own: no write uses them. */
  conditions: Conditions & { ConditionExpression: string };
  /** The same condition, on the item as it was when the write was refused. */
  holds(existing: Item | undefined): boolean;
  refusal(): Error;
}

/**
 * A write that happens only while the checks hold. DynamoDB takes one operation for each item of a transaction, so the
 * check of an item that is written becomes part of its write's condition.
 */
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

/** A concurrent write got in the way and nothing was written: read again, compute again, write again. */
export class WriteConflict extends Error {
  override readonly name = 'WriteConflict';

  constructor() {
    super('A concurrent write came first.');
  }
}

const CONFLICT_ATTEMPTS = 15;

/** Runs `run` again after each {@link WriteConflict}, with a random pause that doubles. @throws the last conflict */
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

/** The `onRefused` of a part that has no condition. */
export const unconditional = () => new Error('A write without a condition was refused.');

/**
 * Writes all parts or none, and takes back the stages of the objects that the parts point to: see `stagedObjects.ts`.
 * @param objects the keys of objects that a part names inside of a text, where they are not found
 * @throws the `onRefused` error of the first part whose condition failed, {@link WriteConflict}, or an ApiError for a
 * value that DynamoDB cannot store
 */
export async function write(parts: Write[], objects: readonly string[] = []): Promise<void> {
  if (parts.length === 0) return;
  const staged = stagedIn(parts.map(writtenValues), objects);
  const all: Write[] = [...parts, ...staged.map(key => ({ ...takeBack(key), onRefused: unconditional }))];
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

/** What a part stores. An update's values include those of its condition, which name no new object. */
const writtenValues = (part: Write) =>
  'put' in part ? part.put.Item : 'update' in part ? part.update.ExpressionAttributeValues : undefined;

/** Whether a call failed because its condition did not hold. */
export const isConditionFailed = (error: unknown): error is ConditionalCheckFailedException =>
  error instanceof ConditionalCheckFailedException;

/** Writes one part. @returns false when its condition failed, true otherwise */
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

function writeTogether(parts: Write[]): Promise<unknown> {
  const common = { TableName: environment.tableName, ReturnValuesOnConditionCheckFailure: 'ALL_OLD' } as const;
  return documents.send(
    new TransactWriteCommand({
      TransactItems: parts.map(part => {
        if ('put' in part) return { Put: { ...common, ...part.put } };
        if ('update' in part) return { Update: { ...common, ...part.update } };
        if ('remove' in part) return { Delete: { ...common, ...part.remove } };
        return { ConditionCheck: { ...common, ...part.check } };
      }),
    }),
  );
}

/** The error that a failure stands for; undefined when the write had succeeded after all. */
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

/** Transient reasons for a cancelled transaction. */
const TRANSIENT = new Set(['TransactionConflict', 'ThrottlingError', 'ProvisionedThroughputExceeded']);

/** Maps DynamoDB's transaction conflicts to {@link WriteConflict}; other errors pass unchanged. */
export const asConflict = (error: unknown): unknown =>
  error instanceof TransactionConflictException || error instanceof TransactionInProgressException
    ? new WriteConflict()
    : error;

/** Marks a write that is sent alone, so that it recognises itself when it is sent again: see `writeIds.ts`. */
function marking(part: Write): Write {
  if ('put' in part && part.put.ConditionExpression) return { ...part, put: withPutId(part.put) };
  return 'update' in part ? { ...part, update: withUpdateId(part.update) } : part;
}

/** Whether the item shows that a write, which was sent again and then refused, had taken effect the first time. */
function isDone(part: Write, existing: Item | undefined): boolean {
  if ('put' in part) return isWrittenByPut(existing, part.put);
  if ('update' in part) return isWrittenByUpdate(existing, part.update);
  return 'remove' in part && existing === undefined;
}

/** The SDK hands over the old item marshalled on some paths and plain on others; a marshalled `pk` is an object. */
export const plainItem = (item: Item | undefined): Item | undefined =>
  item && typeof item.pk === 'object' ? unmarshall(item as Record<string, AttributeValue>) : item;
