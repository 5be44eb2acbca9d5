import { clock } from '#shared/core/clock.ts';
import { write } from '#shared/storage/dynamodb/engine/transaction.ts';
import { findBootstrapAccount } from '#shared/storage/dynamodb/workspace/bootstrapClaims.ts';
import { mintToken } from '#shared/storage/dynamodb/workspace/tokens.ts';

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
