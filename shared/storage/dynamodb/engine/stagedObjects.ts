/**
 * Objects are stored before their records. A stage, an item with the object's key, precedes each. `write` deletes it in
 * the transaction that stores the key, and `sweepStagedObjects` deletes objects whose stage is a day old.
 */

import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { clock } from '#shared/core/clock.ts';
import { environment } from '#shared/core/environment.ts';
import { stagedKey } from '#shared/storage/dynamodb/keys/staged.ts';
import type { Key } from '#shared/storage/dynamodb/keys/table.ts';
import { documents } from './client.ts';

const staged = new Map<string, number>();
/** Exceeds the duration of any call. */
const REMEMBERED_MS = 3_600_000;

/** Must precede the object. @throws ConditionalCheckFailedException while the sweep deletes an object with the key */
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

export async function putStagedObject(key: string, body: Uint8Array): Promise<void> {
  await stageObject(key);
  // Lazy: the S3 client takes 15 to 30 ms of a cold start.
  const { putObject } = await import('#shared/storage/s3/objects.ts');
  await putObject(key, body);
}

export function findStagedKeys(...values: readonly unknown[]): string[] {
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

/** Deletes a stage, as part of the write that points to the object. */
export const commitStage = (key: string): { remove: { Key: Key } } => ({ remove: { Key: stagedKey(key) } });

export function forgetStages(keys: readonly string[]): void {
  for (const key of keys) staged.delete(key);
}
