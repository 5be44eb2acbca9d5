/**
 * State of a destination's endpoint, in one partition that each call queries. Slow calls and resuming jobs are leases.
 */

import { removeAll } from '#shared/storage/dynamodb/engine/partitionCleanup.ts';
import { type Item, partitionQuery, queryAll, readItemsEventually } from '#shared/storage/dynamodb/engine/query.ts';
import { tryWrite } from '#shared/storage/dynamodb/engine/transaction.ts';
import {
  breakerKey,
  breakerSk,
  endpointPk,
  resumeKey,
  resumePrefix,
  retryKey,
  slowCallKey,
  slowCallPrefix,
  wakeupKey,
} from '#shared/storage/dynamodb/keys/deliveries.ts';
import type { Destination } from '#shared/storage/dynamodb/partitioning/destinations.ts';
import { type Breaker, breakerOf } from './breakers.ts';

export interface EndpointState {
  breaker: Breaker | undefined;
  slowCalls: number;
  resuming: ReadonlySet<string>;
  timerMs: number | undefined;
}

/** @param isConsistent doubles the price; otherwise the latest writes may be missing */
export async function findEndpointState(
  destination: Destination,
  url: string | undefined,
  { nowMs, isConsistent = false }: { nowMs: number; isConsistent?: boolean },
): Promise<EndpointState> {
  const items: Item[] = [];
  for await (const item of queryAll({ ...partitionQuery(endpointPk(destination)), ConsistentRead: isConsistent }))
    items.push(item);
  const leases = items.filter(({ untilMs }) => untilMs > nowMs).map(({ sk }) => String(sk));
  const resuming = leases.filter(sk => sk.startsWith(resumePrefix)).map(sk => sk.slice(resumePrefix.length));
  return {
    breaker: breakerOf(
      items.find(({ sk }) => sk === breakerSk),
      url,
    ),
    slowCalls: leases.filter(sk => sk.startsWith(slowCallPrefix)).length,
    resuming: new Set(resuming),
    timerMs: items.find(({ sk }) => sk === wakeupKey(destination).sk)?.dueMs,
  };
}

/** Reads breakers and timers of several destinations with one call, a read unit each. Eventually consistent. */
export async function findEndpoints(
  endpoints: readonly { destination: Destination; address: string | undefined }[],
): Promise<Pick<EndpointState, 'breaker' | 'timerMs'>[]> {
  const items = await readItemsEventually(
    endpoints.flatMap(({ destination }) => [breakerKey(destination), wakeupKey(destination)]),
  );
  return endpoints.map(({ address }, i) => ({
    breaker: breakerOf(items[2 * i], address),
    timerMs: items[2 * i + 1]?.dueMs,
  }));
}

/** Admits one requested retry until a time. Returns false while an earlier one is recent. */
export const claimRetry = (
  destination: Destination,
  { nowMs, untilMs }: { nowMs: number; untilMs: number },
): Promise<boolean> =>
  tryWrite({
    put: {
      Item: { ...retryKey(destination), untilMs, ttl: ttlOf(untilMs) },
      ConditionExpression: 'attribute_not_exists(pk) OR untilMs <= :now',
      ExpressionAttributeValues: { ':now': nowMs },
    },
  });

const ttlOf = (untilMs: number) => Math.ceil(untilMs / 1000) + 3600;

export async function startSlowCall(destination: Destination, callId: string, untilMs: number): Promise<void> {
  await tryWrite({ put: { Item: { ...slowCallKey(destination, callId), untilMs, ttl: ttlOf(untilMs) } } });
}

export async function endSlowCall(destination: Destination, callId: string): Promise<void> {
  await tryWrite({ remove: { Key: slowCallKey(destination, callId) } });
}

/** Leases a paused conversation to a resuming job. Returns false while another one resumes it. */
export const startResume = (
  destination: Destination,
  conversationId: string,
  { nowMs, untilMs }: { nowMs: number; untilMs: number },
): Promise<boolean> =>
  tryWrite({
    put: {
      Item: { ...resumeKey(destination, conversationId), untilMs, ttl: ttlOf(untilMs) },
      ConditionExpression: 'attribute_not_exists(pk) OR untilMs <= :now',
      ExpressionAttributeValues: { ':now': nowMs },
    },
  });

/** Renews the lease when a resuming job starts or hands over to another. */
export async function prolongResume(destination: Destination, conversationId: string, untilMs: number): Promise<void> {
  await tryWrite({ put: { Item: { ...resumeKey(destination, conversationId), untilMs, ttl: ttlOf(untilMs) } } });
}

export async function endResume(destination: Destination, conversationId: string): Promise<void> {
  await tryWrite({ remove: { Key: resumeKey(destination, conversationId) } });
}

export async function forgetEndpoint(destination: Destination): Promise<void> {
  const keys = [];
  for await (const { pk, sk } of queryAll(partitionQuery(endpointPk(destination)))) keys.push({ pk, sk });
  await removeAll(keys);
}
