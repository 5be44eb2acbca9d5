/**
 * Updates per attribute and map key, so that concurrent changes of other attributes succeed. Increments the version.
 */
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { environment } from '#shared/core/environment.ts';
import type { Key } from '#shared/storage/dynamodb/keys/table.ts';
import { documents } from './client.ts';
import { valueFault, valuesOfUpdate } from './itemLimits.ts';
import { type Item, readItem } from './query.ts';
import { findStagedKeys } from './stagedObjects.ts';
import { asConflict, isConditionFailed, plainItem, write } from './transaction.ts';
import { isWrittenByUpdate, withUpdateId } from './writeIds.ts';

export interface ItemChange {
  fields?: Record<string, unknown>;
  maps?: Record<string, Record<string, string | null>>;
  conditions?: string[];
  names?: Record<string, string>;
  values?: Record<string, unknown>;
  ifVersion?: number | undefined;
}

function updateExpression({ fields = {}, maps = {}, conditions = [], names = {}, values = {}, ifVersion }: ItemChange) {
  const set: string[] = [];
  const remove: string[] = [];
  const allNames: Record<string, string> = { ...names };
  const allValues: Record<string, unknown> = { ...values, ':one': 1 };
  const put = (path: string, value: unknown) => {
    if (value === undefined) return;
    if (value === null) {
      remove.push(path);
      return;
    }
    const name = `:v${set.length}`;
    allValues[name] = value;
    set.push(`${path} = ${name}`);
  };
  let count = 0;
  const nameOf = (name: string) => {
    const alias = `#n${count++}`;
    allNames[alias] = name;
    return alias;
  };
  for (const [field, value] of Object.entries(fields)) if (value !== undefined) put(nameOf(field), value);
  for (const [map, entries] of Object.entries(maps)) {
    if (Object.keys(entries).length === 0) continue;
    const mapName = nameOf(map);
    for (const [key, value] of Object.entries(entries)) put(`${mapName}.${nameOf(key)}`, value);
  }
  if (ifVersion) allValues[':version'] = ifVersion;
  return {
    UpdateExpression: [
      set.length > 0 ? `SET ${set.join(', ')}` : '',
      remove.length > 0 ? `REMOVE ${remove.join(', ')}` : '',
      'ADD version :one',
    ].join(' '),
    ConditionExpression: [
      ...conditions,
      ...(ifVersion === undefined ? [] : [ifVersion === 0 ? 'attribute_not_exists(version)' : 'version = :version']),
    ].join(' AND '),
    ...(Object.keys(allNames).length > 0 ? { ExpressionAttributeNames: allNames } : {}),
    ExpressionAttributeValues: allValues,
  };
}

/** Returns the updated item. @throws the `onRefused` error, WriteConflict, or an ApiError for an invalid value */
export async function changeItem(
  key: Key,
  change: ItemChange & { conditions: [string, ...string[]] },
  onRefused: (existing: Item | undefined) => Error,
): Promise<Item> {
  const expression = updateExpression(change);
  if (findStagedKeys(expression.ExpressionAttributeValues).length > 0)
    return changeWithObject(key, expression, onRefused);
  const update = withUpdateId(expression);
  try {
    const { Attributes } = await documents.send(
      new UpdateCommand({
        TableName: environment.tableName,
        Key: key,
        ...update,
        ReturnValues: 'ALL_NEW',
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      }),
    );
    return Attributes!;
  } catch (error) {
    if (!isConditionFailed(error)) throw valueFault(error, valuesOfUpdate(update)) ?? asConflict(error);
    const existing = plainItem(error.Item);
    if (existing && isWrittenByUpdate(existing, update)) return existing;
    throw onRefused(existing);
  }
}

/** Uses a transaction, which deletes the object's stage, but returns no item. */
async function changeWithObject(
  key: Key,
  expression: ReturnType<typeof updateExpression>,
  onRefused: (existing: Item | undefined) => Error,
): Promise<Item> {
  await write([{ update: { Key: key, ...expression }, onRefused }]);
  const item = await readItem(key);
  if (!item) throw onRefused(undefined);
  return item;
}
