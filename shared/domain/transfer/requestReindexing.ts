import { clock } from '#shared/core/clock.ts';
import { newPosition } from '#shared/core/ids.ts';
import { findReindexing, saveReindexing } from '#shared/storage/dynamodb/tenants/reindexings.ts';

/**
 * Requests the reindexing of a workspace. An unfinished reindexing continues.
 * @param isForced includes files that the current embedder indexed, whose vectors may be lost
 */
export async function requestReindexing(workspaceId: string, isForced: boolean): Promise<void> {
  for (;;) {
    const before = await findReindexing(workspaceId);
    const isOpen = before && before.doneAtMs === undefined && before.isForced === isForced;
    const nowMs = clock.now();
    const { version: _, ...state } = isOpen
      ? before
      : { workspaceId, isForced, formerEmbeddingModels: [], files: 0, rows: 0, version: 0 };
    const requested = { ...state, requestId: newPosition(nowMs), updatedAtMs: nowMs };
    if (await saveReindexing(before, requested)) return;
  }
}
