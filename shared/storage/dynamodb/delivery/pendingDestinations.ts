/**
 * Destinations with recent pending deliveries by integration, for changes of its URL. Entries expire after the
 * deliveries.
 */

import { partitionQuery, queryPage } from '#shared/storage/dynamodb/engine/query.ts';
import { tryWrite } from '#shared/storage/dynamodb/engine/transaction.ts';
import { pendingDestinationKey, pendingDestinationsPk } from '#shared/storage/dynamodb/keys/deliveries.ts';
import type { Destination } from '#shared/storage/dynamodb/partitioning/destinations.ts';

/** Exceeds the longest time that a delivery stays pending. */
const RETENTION_MS = 4 * 3_600_000;
const WRITTEN_FOR_MS = 600_000;

const MAX_REMEMBERED = 10_000;
const writtenAtMs = new Map<string, number>();

/** Records that a delivery to an integration is pending. Writes at most once in ten minutes. */
export async function recordPendingDestination(
  integrationId: string,
  destination: Destination,
  nowMs: number,
): Promise<void> {
  const name = `${integrationId} ${destination}`;
  if ((writtenAtMs.get(name) ?? 0) > nowMs - WRITTEN_FOR_MS) return;
  const untilMs = nowMs + RETENTION_MS;
  await tryWrite({
    put: { Item: { ...pendingDestinationKey(integrationId, destination), untilMs, ttl: Math.ceil(untilMs / 1000) } },
  });
  if (writtenAtMs.size >= MAX_REMEMBERED) writtenAtMs.clear();
  writtenAtMs.set(name, nowMs);
}

export async function listPendingDestinations(
  integrationId: string,
  nowMs: number,
  limit: number,
): Promise<Destination[]> {
  const { items } = await queryPage({
    ...partitionQuery(pendingDestinationsPk(integrationId)),
    ConsistentRead: true,
    Limit: limit,
  });
  return items.filter(({ untilMs }) => untilMs > nowMs).map(({ sk }) => sk);
}
