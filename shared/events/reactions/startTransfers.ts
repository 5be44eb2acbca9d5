/** Starts exports and reindexings, and rebuilds after imports. Idempotent. */
import type { StreamChange } from '#shared/storage/dynamodb/engine/streamChange.ts';
import { enqueueTransfer } from '#shared/storage/queues/transferJobs.ts';

export async function startTransfers({ kind, event, before, after, botId: workspaceId, position }: StreamChange) {
  if (kind === 'export') await enqueueTransfer({ task: 'export', workspaceId, position });
  const isImported = event !== 'REMOVE' && before.doneAtMs === undefined && after.doneAtMs !== undefined;
  if (kind === 'import' && isImported) await enqueueTransfer({ task: 'rebuild', workspaceId });
  const { requestId } = after;
  if (kind === 'reindexing' && typeof requestId === 'string' && requestId !== before.requestId)
    await enqueueTransfer({ task: 'reindex', workspaceId, requestId });
}
