import { planRelease } from '#shared/domain/botChat/agents/releaseDisconnected.ts';
import { recordConnected } from '#shared/storage/dynamodb/agents/agents.ts';
import type { StreamChange } from '#shared/storage/dynamodb/engine/streamChange.ts';

/**
 * Records when an agent connects to the inbox, and when their last connection ends. Follows stored connections, because
 * API Gateway may not report a closed one: a failed push removes its item, or DynamoDB after its lifetime. Idempotent.
 */
export async function trackConnectedMembers({ event, botId, before, after }: StreamChange): Promise<void> {
  const workspaceId = botId;
  if (event === 'INSERT') await recordConnected(workspaceId, String(after.accountId), Number(after.connectedAtMs));
  if (event === 'REMOVE') await planRelease(workspaceId, String(before.accountId));
}
