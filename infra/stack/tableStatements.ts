/**
 * A role's permissions on the table, as data for the IAM policy and the local platform. `dynamodb:LeadingKeys` contains
 * the partition keys of a call, or those of the index for a query on an index. One statement must allow all keys of one
 * action.
 */

import type { Access } from '#infra/bundle/functionAccess.ts';
import { type Domain, PARTITIONS } from '#shared/storage/dynamodb/keys/partitions.ts';
import { TABLE_SHAPE } from '#shared/storage/dynamodb/keys/table.ts';

export interface TableStatement {
  actions: string[];
  partitions: string[];
  attributes?: string[];
  /** Restricts the statement to an index. A scan has no partition keys. */
  index?: keyof typeof TABLE_SHAPE.indexes;
}

const READS = ['dynamodb:GetItem', 'dynamodb:BatchGetItem', 'dynamodb:Query'];
/** A condition check reveals no more than a read. */
const CHECKS = ['dynamodb:ConditionCheckItem'];
const APPENDS = ['dynamodb:PutItem', 'dynamodb:UpdateItem'];
const DELETES = ['dynamodb:DeleteItem', 'dynamodb:BatchWriteItem'];

const TOKENS: readonly Domain[] = ['accounts', 'bots', 'integrations'];

export const ALL_PARTITIONS: readonly string[] = Object.values(PARTITIONS).flat();

const partitionsOf = (...domains: Domain[]): string[] =>
  [...new Set(domains)].flatMap((domain): readonly string[] => PARTITIONS[domain]);

export function tableStatements(access: Access): TableStatement[] {
  const { table, partitions, countsCalls, leasesStreams, recordsTokenUse, deadLetters, scansLists } = access;
  const { reads = [], writes = [], appends = [] } = partitions ?? {};
  const isWriting = table === 'writes';
  const staged: Domain[] = stagesObjects(access) ? ['staged'] : [];
  const allow = (actions: string[], ...domains: Domain[]): TableStatement[] =>
    domains.length > 0 ? [{ actions, partitions: partitionsOf(...domains) }] : [];
  return mergeStatements([
    ...(table === 'none' ? [] : allow(isWriting ? [...READS, ...CHECKS] : READS, ...reads, ...writes)),
    ...(isWriting ? allow(APPENDS, ...writes, ...appends) : []),
    // A transaction deletes a stage with other items. One statement must allow all keys.
    ...(isWriting ? allow(DELETES, ...writes, ...staged) : []),
    ...(isWriting ? allow(['dynamodb:PutItem'], ...staged) : []),
    ...(deadLetters ? allow(deadLetters === 'only' ? APPENDS : [...APPENDS, ...DELETES], 'deadLetters') : []),
    ...(countsCalls ? allow(['dynamodb:UpdateItem'], 'rates') : []),
    ...(leasesStreams ? allow(['dynamodb:UpdateItem'], 'openWork') : []),
    ...(recordsTokenUse ? [recordingTokenUse] : []),
    ...(scansLists ? [scanningLists] : []),
  ]);
}

/** Merges statements with the same partitions. The inline policies of a role have a limit of 10,240 characters. */
function mergeStatements(statements: readonly TableStatement[]): TableStatement[] {
  const merged = new Map<string, TableStatement>();
  for (const statement of statements) {
    const key = JSON.stringify([[...statement.partitions].sort(), statement.attributes, statement.index]);
    const actions = [...(merged.get(key)?.actions ?? []), ...statement.actions];
    merged.set(key, { ...statement, actions: [...new Set(actions)] });
  }
  return [...merged.values()];
}

/** Returns true for functions that write objects before their records (`storage/dynamodb/engine/stagedObjects.ts`). */
const stagesObjects = ({ largeValues, objects }: Access): boolean =>
  largeValues === 'writes' || objects?.stages !== undefined;

/** See `shared/storage/dynamodb/lists/scanLists.ts`. The index contains only keys. */
const scanningLists: TableStatement = { actions: ['dynamodb:Scan'], partitions: [], index: 'gsi1' };

/** See `recordUse` in `shared/storage/dynamodb/workspace/tokens.ts`. */
const recordingTokenUse: TableStatement = {
  actions: ['dynamodb:UpdateItem'],
  partitions: partitionsOf(...TOKENS),
  attributes: [TABLE_SHAPE.partitionKey, TABLE_SHAPE.sortKey, 'id', 'lastUsedAtMs'],
};
