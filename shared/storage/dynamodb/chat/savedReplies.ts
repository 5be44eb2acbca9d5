/** Texts that members reuse: those of a bot, and those of a workspace. They are few, so one partition lists them. */
import * as z from 'zod/mini';
import { notFound } from '#shared/core/errors.ts';
import { readItems } from '#shared/storage/dynamodb/engine/query.ts';
import { type Write, WriteConflict } from '#shared/storage/dynamodb/engine/transaction.ts';
import { changeItem } from '#shared/storage/dynamodb/engine/update.ts';
import { savedRepliesPk, savedReplyKey } from '#shared/storage/dynamodb/keys/chat.ts';
import { mergeParts, type Range } from '#shared/storage/dynamodb/lists/lists.ts';

const SavedReply = z.object({
  id: z.string(),
  name: z.string(),
  text: z.string(),
  createdAtMs: z.number(),
  updatedAtMs: z.number(),
  version: z.number(),
});
export type SavedReply = z.infer<typeof SavedReply>;

export const SAVED_REPLY_SCOPES = ['bot', 'workspace'] as const;
export type SavedReplyScope = (typeof SAVED_REPLY_SCOPES)[number];

/** A bot and its workspace, whose replies its members use. */
export interface ReplyOwners {
  botId: string;
  workspaceId: string;
}

const ownerIn = ({ botId, workspaceId }: ReplyOwners, scope: SavedReplyScope) =>
  scope === 'bot' ? botId : workspaceId;

export const putNewSavedReply = (owners: ReplyOwners, scope: SavedReplyScope, reply: SavedReply): Write => ({
  put: {
    Item: { ...savedReplyKey(ownerIn(owners, scope), reply.id), ...reply },
    ConditionExpression: 'attribute_not_exists(pk)',
  },
  onRefused: () => new WriteConflict(),
});

export async function changeSavedReply(
  owners: ReplyOwners,
  scope: SavedReplyScope,
  id: string,
  fields: Partial<Pick<SavedReply, 'name' | 'text' | 'updatedAtMs'>>,
  { ifVersion, onOtherVersion }: { ifVersion: number | undefined; onOtherVersion: () => Error },
): Promise<SavedReply> {
  const change = { fields, conditions: ['attribute_exists(pk)'] as [string], ifVersion };
  const item = await changeItem(savedReplyKey(ownerIn(owners, scope), id), change, existing =>
    existing ? onOtherVersion() : notFound(`The saved reply ${id}`),
  );
  return SavedReply.parse(item);
}

export const removeSavedReply = (owners: ReplyOwners, scope: SavedReplyScope, id: string): Write => ({
  remove: { Key: savedReplyKey(ownerIn(owners, scope), id), ConditionExpression: 'attribute_exists(pk)' },
  onRefused: () => notFound(`The saved reply ${id}`),
});

/** @throws ApiError ResourceNotFound */
export async function findSavedReplyScope(owners: ReplyOwners, id: string): Promise<SavedReplyScope> {
  const items = await readItems(SAVED_REPLY_SCOPES.map(scope => savedReplyKey(ownerIn(owners, scope), id)));
  const scope = SAVED_REPLY_SCOPES.find((_, i) => items[i] !== undefined);
  if (scope === undefined) throw notFound(`The saved reply ${id}`);
  return scope;
}

export async function* listSavedReplies(
  owners: ReplyOwners,
  range: Range,
): AsyncGenerator<{ sortKey: string; record: { reply: SavedReply; scope: SavedReplyScope } }> {
  const parts = SAVED_REPLY_SCOPES.map(scope => ({ pk: savedRepliesPk(ownerIn(owners, scope)) }));
  for await (const { sortKey, item } of mergeParts(parts, range)) {
    const scope = item.pk === savedRepliesPk(owners.workspaceId) ? 'workspace' : 'bot';
    yield { sortKey, record: { reply: SavedReply.parse(item), scope } };
  }
}
