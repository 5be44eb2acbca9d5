/**
 * Writing: repositories compute parts, operations compose them, and `write` sends them as one atomic whole (one part
 * as a plain call, which costs half a transaction's write units).
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
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
import type { Key } from '#shared/dynamodb/keys/table.ts';
import { environment } from '#shared/environment.ts';
import { documents } from './client.ts';

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

/** One part of a write. `refused` says what it means when its condition fails, given the item as it was then. */
export type Write = Part & { onRefused: (existing: Item | undefined) => Error };

/**
 * Somebody else's write was in the way, and nothing of ours was written: what computed the write may simply run again.
 * Also the meaning of a timeline position that is taken already.
 */
export class WriteConflict extends Error {
  override readonly name = 'WriteConflict';
}

/** Runs again, up to so many times and after a random pause that doubles, what another's write was in the way of. */
export async function retryConflicts<T>(attempts: number, attempt: () => Promise<T>): Promise<T> {
  for (let count = 1; ; count++) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof WriteConflict) || count === attempts) throw error;
      await sleep(Math.random() * 10 * 2 ** Math.min(count, 8));
    }
  }
}

/** Of a part that has no condition, and so cannot be refused. */
export const unconditional = () => new Error('A write without a condition cannot be refused.');

/**
 * Writes all parts or none.
 * @throws what the first refused part's `refused` makes of it, or {@link WriteConflict}
 */
export async function write(parts: Write[]): Promise<void> {
  if (parts.length === 0) return;
  try {
    await (parts.length === 1 ? writeOne(parts[0]!) : writeTogether(parts));
  } catch (error) {
    const meaning = meaningOf(error, parts);
    if (meaning) throw meaning;
  }
}

// The condition of a single part must answer with the old item too; a bare check alone is never written.
function writeOne(part: Write): Promise<unknown> {
  const common = { TableName: environment.tableName, ReturnValuesOnConditionCheckFailure: 'ALL_OLD' } as const;
  if ('put' in part) return documents.send(new PutCommand({ ...common, ...part.put } as PutCommandInput));
  if ('update' in part) return documents.send(new UpdateCommand({ ...common, ...part.update }));
  if ('remove' in part) return documents.send(new DeleteCommand({ ...common, ...part.remove } as DeleteCommandInput));
  throw new Error('A condition check is no write.');
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

/** Undefined when it was no failure after all. */
function meaningOf(error: unknown, parts: Write[]): unknown {
  if (error instanceof ConditionalCheckFailedException) {
    const existing = plainItem(error.Item);
    const wasSentAgain = (error.$metadata.attempts ?? 1) > 1;
    return wasSentAgain && isDone(parts[0]!, existing) ? undefined : parts[0]!.onRefused(existing);
  }
  if (!(error instanceof TransactionCanceledException)) return asConflict(error);

  const reasons = error.CancellationReasons ?? [];
  const refused = reasons.findIndex(reason => reason.Code === 'ConditionalCheckFailed');
  if (refused >= 0) return parts[refused]!.onRefused(plainItem(reasons[refused]!.Item));
  return reasons.some(reason => PASSING.has(reason.Code ?? '')) ? new WriteConflict() : error;
}

/** Reasons to cancel a transaction that pass by themselves. */
const PASSING = new Set(['TransactionConflict', 'ThrottlingError', 'ProvisionedThroughputExceeded']);

/** {@link WriteConflict} in the place of DynamoDB's word that a transaction holds the item. */
export const asConflict = (error: unknown): unknown =>
  error instanceof TransactionConflictException || error instanceof TransactionInProgressException
    ? new WriteConflict()
    : error;

/**
 * The SDK sends again what got no answer. A condition that fails then may have failed because the first sending got
 * through. (A transaction needs no such look: DynamoDB knows by its token that it is the same.)
 */
function isDone(part: Write, existing: Item | undefined): boolean {
  if ('put' in part) return isDeepStrictEqual(existing, JSON.parse(JSON.stringify(part.put.Item)));
  return 'remove' in part && existing === undefined;
}

// Depending on the path the SDK hands the old item over marshalled or not; a marshalled `pk` is an object.
export const plainItem = (item: Item | undefined): Item | undefined =>
  item && typeof item.pk === 'object' ? unmarshall(item as Record<string, AttributeValue>) : item;
