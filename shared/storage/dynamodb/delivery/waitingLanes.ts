/**
 * The lanes in which something was held for an integration lately, so that a change of its url reaches those who wait
 * for it. An entry outlives what was held: it only says where to look.
 */
import { waitingKey, waitingPk } from '#shared/storage/dynamodb/keys/deliveries.ts';
import type { Lane } from '#shared/storage/dynamodb/lanes.ts';
import { inPartition, queryPage } from '#shared/storage/dynamodb/query.ts';
import { tryWrite } from '#shared/storage/dynamodb/transaction.ts';

/** Longer than anything is held. */
const KEPT_MS = 4 * 3_600_000;
/** An entry is written anew after this, so that it is kept for as long as anything is held. */
const WRITTEN_FOR_MS = 600_000;

const MOST_REMEMBERED = 10_000;
/** When this process has written the entry of a lane. */
const writtenAtMs = new Map<string, number>();

/** Notes that something waits for an integration; one write in ten minutes, however much waits. */
export async function noteWaiting(integrationId: string, lane: Lane, nowMs: number): Promise<void> {
  const name = `${integrationId} ${lane}`;
  if ((writtenAtMs.get(name) ?? 0) > nowMs - WRITTEN_FOR_MS) return;
  const untilMs = nowMs + KEPT_MS;
  await tryWrite({ put: { Item: { ...waitingKey(integrationId, lane), untilMs, ttl: Math.ceil(untilMs / 1000) } } });
  if (writtenAtMs.size >= MOST_REMEMBERED) writtenAtMs.clear();
  writtenAtMs.set(name, nowMs);
}

/** The lanes in which something may wait for an integration. */
export async function listWaiting(integrationId: string, nowMs: number, limit: number): Promise<Lane[]> {
  const { items } = await queryPage({ ...inPartition(waitingPk(integrationId)), ConsistentRead: true, Limit: limit });
  return items.filter(({ untilMs }) => untilMs > nowMs).map(({ sk }) => sk);
}
