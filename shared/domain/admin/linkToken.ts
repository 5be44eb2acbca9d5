import { clock } from '#shared/core/clock.ts';
import { write } from '#shared/storage/dynamodb/engine/transaction.ts';
import { findBootstrapAccount } from '#shared/storage/dynamodb/workspace/bootstrapClaims.ts';
import { mintToken } from '#shared/storage/dynamodb/workspace/tokens.ts';

/**
 * Creates the token of a sign-in link for the account that `bootstrap` created.
 * @returns undefined if the account does not exist
 */
export async function createLinkToken(
  email: string,
  expiresAtMs: number,
): Promise<{ id: string; value: string } | undefined> {
  const accountId = await findBootstrapAccount(email);
  if (accountId === undefined) return undefined;
  const minted = mintToken('pat', accountId, { note: 'Link to the console', expiresAtMs, nowMs: clock.now() });
  await write([minted.write]);
  return { id: minted.token.id, value: minted.value };
}
