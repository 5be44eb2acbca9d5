/**
 * Changing a record in place, attribute by attribute and key by key: two callers who change different things both win, and
 * neither overwrites what he did not name. Each change counts the record's version on.
 */
import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { Key } from '#shared/dynamodb/keys/table.ts';
import { environment } from '#shared/environment.ts';
import { documents } from './client.ts';
import type { Item } from './query.ts';
import { asConflict, plainItem } from './transaction.ts';

export interface ItemChange {
  /** Attributes; null takes one away, undefined leaves it. */
  fields?: Record<string, unknown>;
  /** Keys of attributes that are maps, likewise. */
  maps?: Record<string, Record<string, string | null>>;
  /** Conditions, all of which must hold. */
  conditions?: string[];
  /** The names and values of the conditions. */
  names?: Record<string, string>;
  values?: Record<string, unknown>;
  /** The version that the caller has seen, if he insists on it; 0 of what was never changed. */
  ifVersion?: number | undefined;
}

/** The parts of an update. */
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

/**
 * Changes one item. @param refused what it means that a condition does not hold, given the item as it is
 * @returns the item after the change
 */
export async function changeItem(
  key: Key,
  change: ItemChange & { conditions: [string, ...string[]] },
  onRefused: (existing: Item | undefined) => Error,
): Promise<Item> {
  try {
    const { Attributes } = await documents.send(
      new UpdateCommand({
        TableName: environment.tableName,
        Key: key,
        ...updateExpression(change),
        ReturnValues: 'ALL_NEW',
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      }),
    );
    return Attributes!;
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) throw onRefused(plainItem(error.Item));
    throw asConflict(error);
  }
}
