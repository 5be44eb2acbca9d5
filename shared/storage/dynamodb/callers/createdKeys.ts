/** Keys by their creator, for revocation when a member leaves. Entries of deleted or transferred bots are skipped. */
import * as z from 'zod/mini';
import { type Bot, parseBot } from '#shared/storage/dynamodb/bots/bots.ts';
import { prefixQuery, queryPage, readItems } from '#shared/storage/dynamodb/engine/query.ts';
import { unconditional, type Write } from '#shared/storage/dynamodb/engine/transaction.ts';
import {
  botKey,
  createdKeyKey,
  createdKeyPrefix,
  integrationKey,
  workspacePk,
} from '#shared/storage/dynamodb/keys/workspace.ts';
import type { Account } from '#shared/storage/dynamodb/workspace/accounts.ts';
import {
  isOutdated,
  parseTokenItem,
  removeToken,
  type Token,
  tokenKeyOf,
} from '#shared/storage/dynamodb/workspace/tokens.ts';
import type { KeyKind } from '#shared/storage/dynamodb/workspace/tokenValue.ts';
import { countCreatedKey } from '#shared/storage/dynamodb/workspace/workspaces.ts';

const CreatedKey = z.object({
  kind: z.enum(['bak', 'iak']),
  ownerId: z.string(),
  tokenId: z.string(),
  hash: z.string(),
});

export interface CreatedKey {
  kind: KeyKind;
  ownerId: string;
  token: Token;
}

export const recordCreator = (
  workspaceId: string,
  { id: accountId, memberships }: Pick<Account, 'id' | 'memberships'>,
  { kind, ownerId, token: { id, hash } }: CreatedKey,
): Write[] => [
  {
    put: { Item: { ...createdKeyKey(workspaceId, accountId, id), kind, ownerId, tokenId: id, hash } },
    onRefused: unconditional,
  },
  countCreatedKey(workspaceId, memberships[workspaceId]!.memberId),
];

export const removeKey = (workspaceId: string, { kind, ownerId, token }: CreatedKey): Write[] => [
  removeToken(kind, ownerId, token),
  ...(token.createdBy === undefined
    ? []
    : [{ remove: { Key: createdKeyKey(workspaceId, token.createdBy, token.id) }, onRefused: unconditional }]),
];

const worksFor = (bot: Bot, token: Token) => bot.deletedAtMs === undefined && !isOutdated(token, bot);

export async function listCreatedKeys(
  workspaceId: string,
  accountId: string,
  { after, limit }: { after?: string | undefined; limit: number },
): Promise<{ keys: CreatedKey[]; next?: string }> {
  const { items, next } = await queryPage({
    ...prefixQuery(workspacePk(workspaceId), createdKeyPrefix(accountId)),
    ConsistentRead: true,
    Limit: limit,
    ExclusiveStartKey: after === undefined ? undefined : createdKeyKey(workspaceId, accountId, after),
  });
  const entries = items.map(item => CreatedKey.parse(item));
  const [tokens, owners] = await Promise.all([
    readItems(entries.map(({ kind, ownerId, hash }) => tokenKeyOf(kind, ownerId, hash))),
    readItems(entries.map(({ kind, ownerId }) => (kind === 'bak' ? botKey(ownerId) : integrationKey(ownerId)))),
  ]);
  const keys = entries.flatMap(({ kind, ownerId, tokenId }, i): CreatedKey[] => {
    const token = tokens[i] && parseTokenItem(tokens[i]);
    const owner = owners[i];
    const works = token?.id === tokenId && owner && (kind === 'iak' || worksFor(parseBot(owner), token));
    return works ? [{ kind, ownerId, token }] : [];
  });
  return { keys, ...(next ? { next: entries.at(-1)!.tokenId } : {}) };
}
