/** Replaces the keys of the code that a member deployed, when the member is removed or may no longer deploy. */
import * as z from 'zod/mini';
import { PERMISSIONS } from '#shared/api/auth/permissions.ts';
import { mapConcurrently } from '#shared/concurrency.ts';
import { write } from '#shared/dynamodb/transaction.ts';
import { listDeployedCode } from '#shared/dynamodb/workspace/deployedCode.ts';
import { type Deployer, redeploy, tokenKindOf } from '#shared/dynamodb/workspace/deployments.ts';
import type { Role } from '#shared/dynamodb/workspace/roles.ts';
import { expireToken, listTokens } from '#shared/dynamodb/workspace/tokens.ts';

export const RedeployedView = z.object({
  botId: z.optional(z.string()),
  integrationId: z.optional(z.string()),
});
type Redeployed = z.infer<typeof RedeployedView>;

/** Whether members with the role may deploy code. */
export const mayDeploy = (role: Role): boolean => role in PERMISSIONS.admin.updateBot;

const AT_ONCE = 8;

/** A former key works until the new deployment takes calls, and no longer than this: the member's code may delay its own replacement. */
const FORMER_KEYS_MS = 60_000;

/**
 * Deploys the code again, under keys of its own. Written before the member is changed: a deployment that the member requests meanwhile
 * makes that change a conflict. Repeating it deploys again, which does no harm.
 */
export async function redeployCodeOf(workspaceId: string, accountId: string, nowMs: number): Promise<Redeployed[]> {
  const found = await listDeployedCode(workspaceId, accountId);
  return mapConcurrently(found, AT_ONCE, async ({ deployer, rollout }) => {
    await write([redeploy(deployer, workspaceId, rollout)]);
    await endKeys(deployer, nowMs + FORMER_KEYS_MS);
    return deployer.kind === 'bot' ? { botId: deployer.id } : { integrationId: deployer.id };
  });
}

/** Read after the write: an earlier deployment that is still in progress makes no key any more. */
async function endKeys(deployer: Deployer, atMs: number): Promise<void> {
  const kind = tokenKindOf(deployer);
  for (const token of await listTokens(kind, deployer.id))
    if (token.deployment !== undefined) await expireToken(kind, deployer.id, token, atMs);
}

/** Returns what an audit record says of redeployed code. */
export const redeployedInWords = (redeployed: readonly Redeployed[]): string =>
  redeployed.length === 0
    ? ''
    : `; redeployed code: ${redeployed.map(({ botId, integrationId }) => botId ?? integrationId).join(', ')}`;
