/** Row quota of a workspace. Counts follow the stream, so the rows of the last second may exceed it. */
import { cached } from '#shared/core/cache.ts';
import { ApiError } from '#shared/core/errors.ts';
import type { Bot } from '#shared/storage/dynamodb/bots/bots.ts';
import { findGauge, findQuota } from '#shared/storage/dynamodb/workspace/usage.ts';

const TYPE = 'table_row_count';
const CACHE_MS = 10_000;
const quotaOf = cached(workspaceId => findQuota(workspaceId, TYPE), { forMs: CACHE_MS, keepsAbsence: true });

export async function requireRoomForRows({ workspaceId }: Pick<Bot, 'workspaceId'>, rows: number): Promise<void> {
  const known = await quotaOf(workspaceId);
  if (known === undefined) return;
  const value = await findGauge(workspaceId, TYPE);
  if (value + rows <= known) return;
  // The quota may have been raised since it was cached.
  const quota = await findQuota(workspaceId, TYPE);
  if (quota !== undefined && value + rows > quota) {
    throw new ApiError('QuotaExceeded', `The workspace's quota of ${TYPE} is exhausted.`, {
      metadata: { type: TYPE, quota, value },
    });
  }
}
