/** Code by the member who deployed it, so that its keys are replaced when the member leaves. Never deleted. */
import * as z from 'zod/mini';
import { prefixQuery, queryAll, readItems } from '#shared/storage/dynamodb/engine/query.ts';
import { unconditional, type Write } from '#shared/storage/dynamodb/engine/transaction.ts';
import {
  botKey,
  deployedCodeKey,
  deployedCodePrefix,
  integrationKey,
  workspacePk,
} from '#shared/storage/dynamodb/keys/workspace.ts';
import type { Account } from '#shared/storage/dynamodb/workspace/accounts.ts';
import { countCreatedKey } from '#shared/storage/dynamodb/workspace/workspaces.ts';
import { type CodeOwner, deploymentFields, isRollingOut, type Rollout } from './deployments.ts';

const Entry = z.object({ kind: z.enum(['bot', 'integration']), id: z.string() });

const Deployed = z.object({
  workspaceId: z.string(),
  deletedAtMs: z.optional(z.number()),
  ...deploymentFields,
});

interface DeployedCode {
  owner: CodeOwner;
  rollout: Rollout;
}

/** Returns writes that record who deployed the code. They conflict with a concurrent removal of the member. */
export function recordDeployedCode(
  workspaceId: string,
  { id: accountId, memberships }: Pick<Account, 'id' | 'memberships'>,
  { kind, id }: CodeOwner,
  { before, after }: Record<'before' | 'after', { rollout?: Rollout | undefined }>,
): Write[] {
  if (after.rollout === undefined || after.rollout.revision === before.rollout?.revision) return [];
  const isKnown = before.rollout?.deployedBy?.includes(accountId);
  return [
    ...(isKnown
      ? []
      : [{ put: { Item: { ...deployedCodeKey(workspaceId, accountId, id), kind, id } }, onRefused: unconditional }]),
    countCreatedKey(workspaceId, memberships[workspaceId]!.memberId),
  ];
}

export async function listDeployedCode(workspaceId: string, accountId: string): Promise<DeployedCode[]> {
  const owners: CodeOwner[] = [];
  const query = { ...prefixQuery(workspacePk(workspaceId), deployedCodePrefix(accountId)), ConsistentRead: true };
  for await (const item of queryAll(query)) owners.push(Entry.parse(item));
  const items = await readItems(owners.map(({ kind, id }) => (kind === 'bot' ? botKey(id) : integrationKey(id))));
  return owners.flatMap((owner, i) => {
    if (!items[i]) return [];
    const deployed = Deployed.parse(items[i]);
    const { rollout, running, deletedAtMs } = deployed;
    const isTheirs = [rollout, running].some(each => each?.deployedBy?.includes(accountId));
    const hasKey = running !== undefined || isRollingOut(deployed);
    if (!rollout || !isTheirs || !hasKey || deployed.workspaceId !== workspaceId || deletedAtMs !== undefined)
      return [];
    return [{ owner, rollout }];
  });
}
