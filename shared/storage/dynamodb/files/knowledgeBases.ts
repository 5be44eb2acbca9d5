/** Named groups of files. They are few, so one partition lists them. */

import * as z from 'zod/mini';
import { notFound } from '#shared/core/errors.ts';
import { startOf } from '#shared/core/excerpt.ts';
import { isKnowledgeBaseId } from '#shared/core/ids.ts';
import { readItem, readItems } from '#shared/storage/dynamodb/engine/query.ts';
import { type Write, WriteConflict } from '#shared/storage/dynamodb/engine/transaction.ts';
import { knowledgeBaseKey, knowledgeBasesPk } from '#shared/storage/dynamodb/keys/files.ts';
import { mergeParts } from '#shared/storage/dynamodb/lists/lists.ts';
import { Tags } from '#shared/storage/dynamodb/tags/tags.ts';

const KnowledgeBase = z.object({
  id: z.string(),
  name: z.string(),
  tags: Tags,
  createdAtMs: z.number(),
  version: z.number(),
});
export type KnowledgeBase = z.infer<typeof KnowledgeBase>;

export async function findKnowledgeBase(botId: string, scope: string, id: string): Promise<KnowledgeBase | undefined> {
  const item = await readItem(knowledgeBaseKey(botId, scope, id));
  return item && KnowledgeBase.parse(item);
}

export async function requireKnowledgeBase(botId: string, scope: string, id: string): Promise<KnowledgeBase> {
  const found = isKnowledgeBaseId(id) ? await findKnowledgeBase(botId, scope, id) : undefined;
  if (!found) throw notFound(`The knowledge base ${startOf(id, 200)}`);
  return found;
}

export const putKnowledgeBase = (
  botId: string,
  scope: string,
  before: KnowledgeBase | undefined,
  after: KnowledgeBase,
): Write => ({
  put: {
    Item: { ...knowledgeBaseKey(botId, scope, after.id), ...after, version: (before?.version ?? 0) + 1 },
    ...(before
      ? { ConditionExpression: 'version = :version', ExpressionAttributeValues: { ':version': before.version } }
      : { ConditionExpression: 'attribute_not_exists(pk)' }),
  },
  onRefused: () => new WriteConflict(),
});

export const removeKnowledgeBase = (botId: string, scope: string, id: string): Write => ({
  remove: { Key: knowledgeBaseKey(botId, scope, id), ConditionExpression: 'attribute_exists(pk)' },
  onRefused: () => notFound(`The knowledge base ${id}`),
});

export async function* listKnowledgeBases(
  botId: string,
  scopes: readonly string[],
  after: string | undefined,
): AsyncGenerator<{ sortKey: string; record: KnowledgeBase }> {
  const range = { direction: 'desc' as const, first: '', last: '~', after };
  const parts = scopes.map(scope => ({ pk: knowledgeBasesPk(botId, scope) }));
  for await (const { sortKey, item } of mergeParts(parts, range)) {
    yield { sortKey, record: KnowledgeBase.parse(item) };
  }
}

export async function scopeOfKnowledgeBase(
  botId: string,
  scopes: readonly string[],
  id: string,
): Promise<string | undefined> {
  if (!isKnowledgeBaseId(id)) return undefined;
  const items = await readItems(scopes.map(scope => knowledgeBaseKey(botId, scope, id)));
  return scopes.find((_, i) => items[i]);
}

export async function hasKnowledgeBases(botId: string, scope: string): Promise<boolean> {
  for await (const _ of listKnowledgeBases(botId, [scope], undefined)) return true;
  return false;
}
