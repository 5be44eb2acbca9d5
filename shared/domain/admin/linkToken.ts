import { clock } from '#shared/core/clock.ts';
import { ApiError } from '#shared/core/errors.ts';
import { unconditional, type Write, write } from '#shared/storage/dynamodb/engine/transaction.ts';
import type { Account } from '#shared/storage/dynamodb/workspace/accounts.ts';
import { findBootstrapAccount } from '#shared/storage/dynamodb/workspace/bootstrapClaims.ts';
import { listTokens, mintToken, type Token, tokenKeyOf } from '#shared/storage/dynamodb/workspace/tokens.ts';

/**
 * Creates the token of a sign-in link for the account that `bootstrap` created. Only `createSession` accepts it, once.
 * @returns undefined if the account does not exist
 */
export async function createLinkToken(email: string, expiresAtMs: number): Promise<string | undefined> {
  const accountId = await findBootstrapAccount(email);
  if (accountId === undefined) return undefined;
  const minted = mintToken('lnk', accountId, { note: 'Sign-in link', expiresAtMs, nowMs: clock.now() });
  await write([minted.write]);
  return minted.value;
}

const MEMBER_LINK_MS = 3_600_000;
/** A caller who used a link may create further ones. Each depends on the rights of all its creators. */
const MAX_GRANTORS = 4;
/** Concurrent calls can leave several. */
const MAX_REPLACED = 50;

/**
 * Creates the token of a sign-in link for a member, limited to the workspace. Replaces earlier ones.
 * @param options.caller the creator's credential, whose limit the link inherits
 * @throws ApiError Forbidden at the end of a long chain of links
 */
export async function createMemberLink(
  accountId: string,
  {
    workspaceId,
    creator,
    caller,
    nowMs,
  }: { workspaceId: string; creator: Pick<Account, 'id'>; caller: Token; nowMs: number },
): Promise<{ value: string; expiresAtMs: number; writes: Write[] }> {
  const grantedBy = [...new Set([...(caller.limitedTo?.grantedBy ?? []), creator.id])];
  if (grantedBy.length > MAX_GRANTORS) {
    throw new ApiError(
      'Forbidden',
      'Your session came from a chain of sign-in links. Sign in with a token of your own.',
    );
  }
  const earlier = (await listTokens('lnk', accountId)).filter(
    ({ limitedTo }) => limitedTo?.workspaceId === workspaceId,
  );
  const expiresAtMs = nowMs + MEMBER_LINK_MS;
  const { value, write: put } = mintToken('lnk', accountId, {
    note: 'Sign-in link of a member',
    expiresAtMs,
    limitedTo: { workspaceId, grantedBy, singleSignOnId: caller.limitedTo?.singleSignOnId },
    nowMs,
  });
  const removals = earlier.slice(0, MAX_REPLACED).map(
    ({ hash }): Write => ({
      remove: { Key: tokenKeyOf('lnk', accountId, hash) },
      onRefused: unconditional,
    }),
  );
  return { value, expiresAtMs, writes: [put, ...removals] };
}
