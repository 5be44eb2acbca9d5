/**
 * Objects that are put before the record that points to them is written. That write may be refused, or never be tried,
 * so a stage is written before the object: an item with the object's key. The write that stores the key takes the stage
 * back in the same transaction, wherever it is composed: `write` finds the keys in what it writes. So every object has
 * a record or a stage, and `sweepStagedObjects` deletes the objects whose stage is a day old.
 *
 * A refused write leaves the object, because the next attempt of the same call may commit it.
 */

import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { clock } from '#shared/core/clock.ts';
import { environment } from '#shared/core/environment.ts';
import { documents } from './client.ts';
import { stagedKey } from './keys/staged.ts';
import type { Key } from './keys/table.ts';

/**
 * The stages that this process has written and not taken back, by the time of the latest. Keys of objects are unique.
 */
const staged = new Map<string, number>();
/** Longer than any function runs: what a call staged before was refused for good. */
const REMEMBERED_MS = 3_600_000;

/**
 * Writes the stage of an object. Goes before the object is put or copied, also for one that an earlier run has put
 * already: another process knows nothing of that run's stage.
 * @throws ConditionalCheckFailedException while the sweep deletes an object with this key
 */
export async function stageObject(key: string): Promise<void> {
  const nowMs = clock.now();
  await documents.send(
    new PutCommand({
      TableName: environment.tableName,
      Item: { ...stagedKey(key), stagedAtMs: nowMs },
      ConditionExpression: 'attribute_not_exists(isSwept)',
    }),
  );
  for (const [other, atMs] of staged) if (atMs < nowMs - REMEMBERED_MS) staged.delete(other);
  staged.set(key, nowMs);
}

/** Puts an object whose record is written later. */
export async function putStagedObject(key: string, body: Uint8Array): Promise<void> {
  await stageObject(key);
  // A lazy import: the S3 client takes 15 to 30 ms of a cold start.
  const { putObject } = await import('#shared/storage/s3/objects.ts');
  await putObject(key, body);
}

/** The staged objects whose keys are among these values, however deep. */
export function stagedIn(...values: readonly unknown[]): string[] {
  // Nearly all writes point to no object.
  if (staged.size === 0) return [];
  const found = new Set<string>();
  const visit = (value: unknown): void => {
    if (typeof value === 'string') {
      if (staged.has(value)) found.add(value);
    } else if (typeof value === 'object' && value !== null && !(value instanceof Uint8Array)) {
      for (const inner of Object.values(value)) visit(inner);
    }
  };
  for (const value of values) visit(value);
  return [...found];
}

/** Takes a stage back, as a part of the write that points to the object. */
export const takeBack = (key: string): { remove: { Key: Key } } => ({ remove: { Key: stagedKey(key) } });

/** After the stages were taken back. */
export function forgetStages(keys: readonly string[]): void {
  for (const key of keys) staged.delete(key);
}
