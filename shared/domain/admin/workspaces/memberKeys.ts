/** Keys created by a leaving member. They belong to bots and integrations, and stay valid until they are revoked. */
import * as z from 'zod/mini';
import { TokenView, viewToken } from '#shared/domain/admin/keys.ts';
import { listMadeKeys, type MadeKey } from '#shared/storage/dynamodb/workspace/madeKeys.ts';

export const MadeKeyView = z.extend(z.omit(TokenView, { createdBy: true }), {
  botId: z.optional(z.string()),
  integrationId: z.optional(z.string()),
});

export const viewMadeKey = ({ kind, ownerId, token }: MadeKey): z.infer<typeof MadeKeyView> => ({
  ...viewToken(token),
  ...(kind === 'bak' ? { botId: ownerId } : { integrationId: ownerId }),
});

/** Revoking a key takes two of a transaction's 100 writes. */
const KEYS_AT_ONCE = 40;

/** Yields the keys that an account created, in batches that fit a transaction. */
export async function* madeKeys(workspaceId: string, accountId: string): AsyncGenerator<MadeKey[]> {
  let after: string | undefined;
  do {
    const page = await listMadeKeys(workspaceId, accountId, { after, limit: KEYS_AT_ONCE });
    yield page.keys;
    after = page.next;
  } while (after);
}

/** Formats keys for an audit record. */
export const formatKeys = (keys: readonly MadeKey[], verb: string) =>
  keys.length === 0 ? '' : `; ${verb} keys: ${keys.map(({ token }) => token.id).join(', ')}`;
