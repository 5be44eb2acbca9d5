/**
 * Code deployed by a member, whose keys are replaced when the member leaves or is demoted. Entries are never deleted,
 * because the deployment itself lists its members.
 */
import * as z from 'zod/mini';
import {
  botKey,
  deployedCodeKey,
  deployedCodePrefix,
  integrationKey,
  workspacePk,
} from '#shared/storage/dynamodb/keys/workspace.ts';
import { queryAll, readItems, startingWith } from '#shared/storage/dynamodb/query.ts';
import { unconditional, type Write } from '#shared/storage/dynamodb/transaction.ts';
import type { Account } from '#shared/storage/dynamodb/workspace/accounts.ts';
import { countKeyMade } from '#shared/storage/dynamodb/workspace/workspaces.ts';
import { type Deployer, deploymentFields, isRollingOut, type Rollout } from './deployments.ts';

const Entry = z.object({ kind: z.enum(['bot', 'integration']), id: z.string() });

const Deployed = z.object({
  workspaceId: z.string(),
  deletedAtMs: z.optional(z.number()),
  ...deploymentFields,
});

/** Active or starting code, with a key that a member may know. */
interface DeployedCode {
  deployer: Deployer;
  rollout: Rollout;
}

/**
 * Returns writes that record the deployer, or none without a new deployment. They count as a key that the member made,
 * so that a concurrent removal of the member conflicts.
 */
export function rememberDeployer(
  workspaceId: string,
  { id: accountId, memberships }: Pick<Account, 'id' | 'memberships'>,
  { kind, id }: Deployer,
  { before, after }: Record<'before' | 'after', { rollout?: Rollout | undefined }>,
): Write[] {
  if (after.rollout === undefined || after.rollout.revision === before.rollout?.revision) return [];
  const isKnown = before.rollout?.deployedBy?.includes(accountId);
  return [
    ...(isKnown
      ? []
      : [{ put: { Item: { ...deployedCodeKey(workspaceId, accountId, id), kind, id } }, onRefused: unconditional }]),
    countKeyMade(workspaceId, memberships[workspaceId]!.memberId),
  ];
}

/** Returns the code with keys that a member deployed in a workspace. */
export async function listDeployedCode(workspaceId: string, accountId: string): Promise<DeployedCode[]> {
  const deployers: Deployer[] = [];
  const query = { ...startingWith(workspacePk(workspaceId), deployedCodePrefix(accountId)), ConsistentRead: true };
  for await (const item of queryAll(query)) deployers.push(Entry.parse(item));
  const items = await readItems(deployers.map(({ kind, id }) => (kind === 'bot' ? botKey(id) : integrationKey(id))));
  return deployers.flatMap((deployer, i) => {
    if (!items[i]) return [];
    const deployed = Deployed.parse(items[i]);
    const { rollout, running, deletedAtMs } = deployed;
    const isTheirs = [rollout, running].some(each => each?.deployedBy?.includes(accountId));
    const hasKey = running !== undefined || isRollingOut(deployed);
    if (!rollout || !isTheirs || !hasKey || deployed.workspaceId !== workspaceId || deletedAtMs !== undefined)
      return [];
    return [{ deployer, rollout }];
  });
}
