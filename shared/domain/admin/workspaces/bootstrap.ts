import { randomUUID } from 'node:crypto';
import { clock } from '#shared/core/clock.ts';
import { type Write, WriteConflict, write } from '#shared/storage/dynamodb/engine/transaction.ts';
import {
  type Account,
  findAccount,
  putNewAccount,
  setMembership,
} from '#shared/storage/dynamodb/workspace/accounts.ts';
import {
  claimBootstrapAccount,
  claimBootstrapWorkspace,
  findBootstrapClaims,
} from '#shared/storage/dynamodb/workspace/bootstrapClaims.ts';
import { mintToken } from '#shared/storage/dynamodb/workspace/tokens.ts';
import { claimHandle, findHandleOwners } from '#shared/storage/dynamodb/workspace/workspaces.ts';
import { handleOf } from './handle.ts';
import { newAccount, newWorkspace } from './newWorkspace.ts';

export interface BootstrapResult {
  workspaceId: string;
  accountId: string;
  token: string | undefined;
  tokenId: string | undefined;
}

/**
 * Creates the first administrator and workspace. Idempotent, and safe to run concurrently. The workspace has a handle,
 * because `bp deploy` of an integration requires one.
 * @param options.isTokenWanted creates a token even if the account exists
 */
export async function bootstrap(
  email: string,
  workspaceName: string,
  { isTokenWanted = false }: { isTokenWanted?: boolean } = {},
): Promise<BootstrapResult> {
  for (;;) {
    try {
      return await attempt(email, workspaceName, isTokenWanted);
    } catch (error) {
      // A concurrent run won. The next attempt finds its records.
      if (!(error instanceof WriteConflict)) throw error;
    }
  }
}

async function attempt(email: string, workspaceName: string, isTokenWanted: boolean): Promise<BootstrapResult> {
  const nowMs = clock.now();
  const claims = await findBootstrapClaims(email, workspaceName);
  const known = claims.accountId === undefined ? undefined : await findAccount(claims.accountId);
  const account: Account = known ?? newAccount(email, nowMs);
  const handle = claims.workspaceId === undefined ? await freeHandle(workspaceName) : undefined;
  const created = handle === undefined ? undefined : newWorkspace(account, workspaceName, { nowMs, handle });
  const workspaceId: string = claims.workspaceId ?? created!.workspace.id;
  const membership = created && { role: 'owner' as const, memberId: created.member.id };
  const minted =
    !known || isTokenWanted ? mintToken('pat', account.id, { note: 'Created by bootstrap', nowMs }) : undefined;
  const writes: Write[] = [
    ...(known ? [] : [claimBootstrapAccount(email, account.id)]),
    ...(known ? [] : [putNewAccount({ ...account, memberships: membership ? { [workspaceId]: membership } : {} })]),
    ...(created ? [claimBootstrapWorkspace(email, workspaceName, workspaceId), ...created.writes] : []),
    // A concurrent run may have taken the handle. The next attempt chooses another.
    ...(handle ? [{ ...claimHandle(handle, workspaceId), onRefused: () => new WriteConflict() }] : []),
    ...(known && membership ? [setMembership(account, workspaceId, membership)] : []),
    ...(minted ? [minted.write] : []),
  ];
  await write(writes);
  return { workspaceId, accountId: account.id, token: minted?.value, tokenId: minted?.token.id };
}

async function freeHandle(workspaceName: string): Promise<string> {
  const handle = handleOf(workspaceName);
  const owners = await findHandleOwners([handle]);
  return owners.has(handle) ? `${handle}-${randomUUID().slice(0, 8)}` : handle;
}
