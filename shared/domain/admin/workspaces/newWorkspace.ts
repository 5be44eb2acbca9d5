import { randomUUID } from 'node:crypto';
import { newWorkspaceId } from '#shared/core/ids.ts';
import type { Write } from '#shared/storage/dynamodb/engine/transaction.ts';
import type { Account } from '#shared/storage/dynamodb/workspace/accounts.ts';
import { auditActor, putAudit } from '#shared/storage/dynamodb/workspace/audit.ts';
import { openGauges, type UsageType } from '#shared/storage/dynamodb/workspace/usage.ts';
import {
  type Member,
  memberIdOf,
  putNewMember,
  putNewWorkspace,
  type Workspace,
} from '#shared/storage/dynamodb/workspace/workspaces.ts';

/**
 * Returns a workspace with its owner, and the writes that store both.
 * @param options.quotas by type of usage; unlimited by default
 * @param options.handle must be claimed in the same write
 */
export function newWorkspace(
  account: Account,
  name: string,
  {
    nowMs,
    quotas = {},
    handle,
  }: { nowMs: number; quotas?: Partial<Record<UsageType, number>>; handle?: string | undefined },
): { workspace: Workspace; member: Member; writes: Write[] } {
  const id = newWorkspaceId(nowMs);
  const workspace: Workspace = {
    id,
    name,
    ownerId: account.id,
    createdAtMs: nowMs,
    updatedAtMs: nowMs,
    ownerCount: 1,
    handle,
  };
  const member: Member = {
    id: memberIdOf(id, account.email),
    email: account.email,
    role: 'owner',
    createdAtMs: nowMs,
    accountId: account.id,
  };
  return {
    workspace,
    member,
    writes: [
      putNewWorkspace(workspace),
      putNewMember(id, member),
      ...openGauges(id, quotas, nowMs),
      putAudit(id, auditActor(account), { action: 'CREATE_WORKSPACE', resourceId: id, resourceName: name }, nowMs),
    ],
  };
}

export const newAccount = (email: string, nowMs: number, displayName?: string): Account => ({
  id: randomUUID(),
  email,
  displayName,
  createdAtMs: nowMs,
  memberships: {},
});
