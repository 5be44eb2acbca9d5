/** Replaces the keys of a member's deployed code when the member is removed or may no longer deploy. */
import * as z from 'zod/mini';
import { PERMISSIONS } from '#shared/api/permissions.ts';
import { mapConcurrently } from '#shared/core/concurrency.ts';
import { listDeployedCode } from '#shared/storage/dynamodb/code/deployedCode.ts';
import { type CodeOwner, redeploy, tokenKindOf } from '#shared/storage/dynamodb/code/deployments.ts';
import { write } from '#shared/storage/dynamodb/engine/transaction.ts';
import type { Role } from '#shared/storage/dynamodb/workspace/roles.ts';
import { expireToken, listTokens } from '#shared/storage/dynamodb/workspace/tokens.ts';

export const RedeployedView = z.object({
  botId: z.optional(z.string()),
  integrationId: z.optional(z.string()),
});
type Redeployed = z.infer<typeof RedeployedView>;

export const mayDeploy = (role: Role): boolean => role in PERMISSIONS.admin.updateBot;

const AT_ONCE = 8;

/**
 * Maximum time that former keys stay valid during the rollout, because the member's code can delay its own replacement.
 */
const FORMER_KEYS_MS = 60_000;

/**
 * Redeploys the code with new keys. Runs before the member is changed, so that a concurrent deployment conflicts with
 * that change. Idempotent.
 */
export async function redeployCodeOf(workspaceId: string, accountId: string, nowMs: number): Promise<Redeployed[]> {
  const found = await listDeployedCode(workspaceId, accountId);
  return mapConcurrently(found, AT_ONCE, async ({ owner, rollout }) => {
    await write([redeploy(owner, workspaceId, rollout)]);
    await endKeys(owner, nowMs + FORMER_KEYS_MS);
    return owner.kind === 'bot' ? { botId: owner.id } : { integrationId: owner.id };
  });
}

/** Reads tokens after the write, which prevents earlier deployments from creating keys. */
async function endKeys(owner: CodeOwner, atMs: number): Promise<void> {
  const kind = tokenKindOf(owner);
  for (const token of await listTokens(kind, owner.id))
    if (token.deployment !== undefined) await expireToken(kind, owner.id, token, atMs);
}

export const formatRedeployed = (redeployed: readonly Redeployed[]): string =>
  redeployed.length === 0
    ? ''
    : `; redeployed code: ${redeployed.map(({ botId, integrationId }) => botId ?? integrationId).join(', ')}`;
