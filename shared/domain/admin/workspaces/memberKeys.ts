/**
 * The keys that a leaving member made. They belong to bots and integrations, and go on working unless they are revoked.
 */
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

/** Two writes revoke a key, and a transaction takes 100. */
const KEYS_AT_ONCE = 40;

/** All keys that an account made in a workspace, in batches that a transaction can revoke. */
export async function* madeKeys(workspaceId: string, accountId: string): AsyncGenerator<MadeKey[]> {
  let after: string | undefined;
  do {
    const page = await listMadeKeys(workspaceId, accountId, { after, limit: KEYS_AT_ONCE });
    yield page.keys;
    after = page.next;
  } while (after);
}

/** What an audit record says of keys. @param verb as in `revoked` */
export const keysInWords = (keys: readonly MadeKey[], verb: string) =>
  keys.length === 0 ? '' : `; ${verb} keys: ${keys.map(({ token }) => token.id).join(', ')}`;
