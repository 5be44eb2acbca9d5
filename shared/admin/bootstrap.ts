/** The first administrator: made by the operator, who can do everything anyway, and not through any interface. */

import { bootstrapKey } from '#shared/dynamodb/keys/workspace.ts';
import { readItems } from '#shared/dynamodb/query.ts';
import { type Write, WriteConflict, write } from '#shared/dynamodb/transaction.ts';
import { type Account, findAccount, putNewAccount, setMembership } from '#shared/dynamodb/workspace/accounts.ts';
import { mintToken } from '#shared/dynamodb/workspace/tokens.ts';
import { newAccount, newWorkspace } from './workspaces.ts';

export interface Bootstrapped {
  workspaceId: string;
  accountId: string;
  /** Only when it was made now. */
  token: string | undefined;
}

/**
 * An account with this email as the owner of a workspace with this name; both are made once, however often and by however
 * many this is run.
 * @param isTokenWanted makes a token also when the account is there already
 */
export async function bootstrap(
  email: string,
  workspaceName: string,
  { isTokenWanted = false }: { isTokenWanted?: boolean } = {},
): Promise<Bootstrapped> {
  for (;;) {
    try {
      return await attempt(email, workspaceName, isTokenWanted);
    } catch (error) {
      // Somebody else runs it just now: what he made is found when it runs again.
      if (!(error instanceof WriteConflict)) throw error;
    }
  }
}

async function attempt(email: string, workspaceName: string, isTokenWanted: boolean): Promise<Bootstrapped> {
  const nowMs = Date.now();
  const [accountClaim, workspaceClaim] = await readItems([bootstrapKey(email), bootstrapKey(email, workspaceName)]);
  const known = accountClaim && (await findAccount(accountClaim.accountId));
  const account: Account = known ?? newAccount(email, nowMs);
  const workspace = workspaceClaim ? undefined : newWorkspace(account, workspaceName, nowMs);
  const workspaceId: string = workspaceClaim?.workspaceId ?? workspace!.workspace.id;
  const membership = workspace && { role: 'owner' as const, memberId: workspace.member.id };
  const minted =
    !known || isTokenWanted ? mintToken('pat', account.id, { note: 'Made by bootstrap', nowMs }) : undefined;
  const writes: Write[] = [
    ...(known ? [] : [claim(bootstrapKey(email), { accountId: account.id })]),
    ...(known ? [] : [putNewAccount({ ...account, memberships: membership ? { [workspaceId]: membership } : {} })]),
    ...(workspace ? [claim(bootstrapKey(email, workspaceName), { workspaceId }), ...workspace.writes] : []),
    ...(known && membership ? [setMembership(account, workspaceId, membership)] : []),
    ...(minted ? [minted.part] : []),
  ];
  await write(writes);
  return { workspaceId, accountId: account.id, token: minted?.value };
}

const claim = (key: { pk: string; sk: string }, fields: Record<string, string>): Write => ({
  put: { Item: { ...key, ...fields }, ConditionExpression: 'attribute_not_exists(pk)' },
  onRefused: () => new WriteConflict(),
});
