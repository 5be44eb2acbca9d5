/** Bots to which an agent is limited (docs/api/admin.md#agents-of-bots). */
import * as z from 'zod/mini';
import { ApiError } from '#shared/core/errors.ts';
import { isUuid } from '#shared/core/ids.ts';
import { findBots } from '#shared/storage/dynamodb/bots/bots.ts';
import type { Membership } from '#shared/storage/dynamodb/workspace/accounts.ts';
import type { Member } from '#shared/storage/dynamodb/workspace/workspaces.ts';

/** Each takes 40 bytes of the account, which every call reads. */
const MAX_BOTS = 20;

export const botIds = () =>
  z.array(z.string().check(z.refine(isUuid, 'Must be the id of a bot'))).check(
    z.minLength(1),
    z.maxLength(MAX_BOTS),
    z.refine(ids => new Set(ids).size === ids.length, { error: 'Must not repeat a bot' }),
  );

/**
 * Requires bots of the workspace. Ids that the member already has may name deleted bots.
 * @throws ApiError ReferenceNotFound
 */
export async function requireBotsOf(
  workspaceId: string,
  ids: readonly string[],
  known: readonly string[] = [],
): Promise<void> {
  const added = ids.filter(id => !known.includes(id));
  if (added.length === 0) return;
  const bots = await findBots(added);
  const own = new Set(
    bots.filter(bot => bot.workspaceId === workspaceId && bot.deletedAtMs === undefined).map(({ id }) => id),
  );
  const missing = added.find(id => !own.has(id));
  if (missing === undefined) return;
  const message = `botIds must name bots of the workspace. ${missing} is not one.`;
  throw new ApiError('ReferenceNotFound', message, { metadata: { issues: [{ path: 'botIds', message }] } });
}

/** The copy of a member record in its account. */
export const membershipOf = ({ id, role, botIds: limit }: Member): Membership => ({
  role,
  memberId: id,
  ...(limit ? { botIds: limit } : {}),
});
