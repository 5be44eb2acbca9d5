/** Keys created by a leaving member. They belong to bots and integrations, and stay valid until they are revoked. */
import * as z from 'zod/mini';
import { TokenView, viewToken } from '#shared/domain/admin/keys.ts';
import { type CreatedKey, listCreatedKeys } from '#shared/storage/dynamodb/callers/createdKeys.ts';

export const CreatedKeyView = z.extend(z.omit(TokenView, { createdBy: true }), {
  botId: z.optional(z.string()),
  integrationId: z.optional(z.string()),
});

export const viewCreatedKey = ({ kind, ownerId, token }: CreatedKey): z.infer<typeof CreatedKeyView> => ({
  ...viewToken(token),
  ...(kind === 'bak' ? { botId: ownerId } : { integrationId: ownerId }),
});

/** Revoking a key takes two of a transaction's 100 writes. */
const PAGE_KEYS = 40;

/** Yields the keys that an account created, in batches that fit a transaction. */
export async function* pageCreatedKeys(workspaceId: string, accountId: string): AsyncGenerator<CreatedKey[]> {
  let after: string | undefined;
  do {
    const page = await listCreatedKeys(workspaceId, accountId, { after, limit: PAGE_KEYS });
    yield page.keys;
    after = page.next;
  } while (after);
}

export const formatKeys = (keys: readonly CreatedKey[], verb: string) =>
  keys.length === 0 ? '' : `; ${verb} keys: ${keys.map(({ token }) => token.id).join(', ')}`;
