import type { StreamChange } from '#shared/storage/dynamodb/engine/streamChange.ts';
import { enqueueConnectionJob } from '#shared/storage/queues/connectionJobs.ts';

/**
 * Closes the inbox connections of a member whose bots have changed, because a connection watches the bots of its
 * opening. Clients connect again. Idempotent.
 */
export async function requestReconnects({ event, botId, before, after }: StreamChange): Promise<void> {
  const botsOf = ({ role, botIds }: StreamChange['after']) => JSON.stringify(role === 'agent' ? botIds : undefined);
  const accountId = after.accountId as string | undefined;
  if (event !== 'MODIFY' || accountId === undefined || botsOf(before) === botsOf(after)) return;
  await enqueueConnectionJob({ kind: 'reconnect', botId, accountId });
}
