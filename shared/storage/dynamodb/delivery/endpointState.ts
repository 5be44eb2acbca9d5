/** State of a lane's endpoint, in one partition that each call queries. Slow calls and drains are leases. */

import { removeAll } from '#shared/storage/dynamodb/engine/partitionCleanup.ts';
import { type Item, partitionQuery, queryAll } from '#shared/storage/dynamodb/engine/query.ts';
import { tryWrite } from '#shared/storage/dynamodb/engine/transaction.ts';
import {
  breakerSk,
  drainKey,
  drainPrefix,
  endpointPk,
  heldTimerKey,
  slowCallKey,
  slowCallPrefix,
} from '#shared/storage/dynamodb/keys/deliveries.ts';
import type { Lane } from '#shared/storage/dynamodb/partitioning/destinations.ts';
import { type Breaker, breakerOf } from './breakers.ts';

export interface EndpointState {
  breaker: Breaker | undefined;
  slowCalls: number;
  draining: ReadonlySet<string>;
  timerMs: number | undefined;
}

/** @param isConsistent doubles the price; otherwise the latest writes may be missing */
export async function findEndpointState(
  lane: Lane,
  url: string | undefined,
  { nowMs, isConsistent = false }: { nowMs: number; isConsistent?: boolean },
): Promise<EndpointState> {
  const items: Item[] = [];
  for await (const item of queryAll({ ...partitionQuery(endpointPk(lane)), ConsistentRead: isConsistent }))
    items.push(item);
  const leases = items.filter(({ untilMs }) => untilMs > nowMs).map(({ sk }) => String(sk));
  const draining = leases.filter(sk => sk.startsWith(drainPrefix)).map(sk => sk.slice(drainPrefix.length));
  return {
    breaker: breakerOf(
      items.find(({ sk }) => sk === breakerSk),
      url,
    ),
    slowCalls: leases.filter(sk => sk.startsWith(slowCallPrefix)).length,
    draining: new Set(draining),
    timerMs: items.find(({ sk }) => sk === heldTimerKey(lane).sk)?.dueMs,
  };
}

const ttlOf = (untilMs: number) => Math.ceil(untilMs / 1000) + 3600;

export async function startSlowCall(lane: Lane, callId: string, untilMs: number): Promise<void> {
  await tryWrite({ put: { Item: { ...slowCallKey(lane, callId), untilMs, ttl: ttlOf(untilMs) } } });
}

export async function endSlowCall(lane: Lane, callId: string): Promise<void> {
  await tryWrite({ remove: { Key: slowCallKey(lane, callId) } });
}

/** Leases the drain of a conversation. Returns false while it is being drained. */
export const startDrain = (
  lane: Lane,
  conversationId: string,
  { nowMs, untilMs }: { nowMs: number; untilMs: number },
): Promise<boolean> =>
  tryWrite({
    put: {
      Item: { ...drainKey(lane, conversationId), untilMs, ttl: ttlOf(untilMs) },
      ConditionExpression: 'attribute_not_exists(pk) OR untilMs <= :now',
      ExpressionAttributeValues: { ':now': nowMs },
    },
  });

/** Renews the lease when a drain starts or continues in another job. */
export async function prolongDrain(lane: Lane, conversationId: string, untilMs: number): Promise<void> {
  await tryWrite({ put: { Item: { ...drainKey(lane, conversationId), untilMs, ttl: ttlOf(untilMs) } } });
}

export async function endDrain(lane: Lane, conversationId: string): Promise<void> {
  await tryWrite({ remove: { Key: drainKey(lane, conversationId) } });
}

export async function forgetEndpoint(lane: Lane): Promise<void> {
  const keys = [];
  for await (const { pk, sk } of queryAll(partitionQuery(endpointPk(lane)))) keys.push({ pk, sk });
  await removeAll(keys);
}
