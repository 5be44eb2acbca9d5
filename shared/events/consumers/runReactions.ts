import type { Context, DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';
import { clock } from '#shared/core/clock.ts';
import { mapConcurrently } from '#shared/core/concurrency.ts';
import { createFairQueue } from '#shared/core/fairQueue.ts';
import { log } from '#shared/core/log.ts';
import { parseStreamChange, type StreamChange } from '#shared/storage/dynamodb/engine/streamChange.ts';
import { tenantOf } from '#shared/storage/dynamodb/tenants/itemKinds.ts';
import { IMPORTED } from '#shared/storage/dynamodb/tenants/portable.ts';
import { matches } from './filters.ts';
import { keepChange } from './keepDeadLetter.ts';
import { attempt, type Reacting, type Reaction } from './reaction.ts';
import { isRedrive, redrive } from './redriveDeadLetter.ts';

interface Received {
  record: DynamoDBRecord;
  change: StreamChange;
}

const CONCURRENT_GROUPS = 25;
/** Reserve for storing dead letters. With less left, the batch fails and Lambda retries it in halves. */
const RESERVE_MS = 10_000;

/**
 * Runs reactions in isolation: a failed change is retried, then stored as a dead letter. A batch fails only if storing
 * a dead letter fails.
 */
export async function runReactions(
  consumer: Reacting,
  { Records }: DynamoDBStreamEvent,
  context: Context,
): Promise<void> {
  const startedMs = clock.now();
  const received = Records.map((record): Received => ({ record, change: parseStreamChange(record) })).filter(
    // An imported item had its effects in the source installation.
    ({ change }) => !(change.event === 'INSERT' && IMPORTED in change.after),
  );
  const groups = orderFairly(
    consumer.reactions.flatMap(reaction => groupsOf(reaction, received).map(group => ({ reaction, group }))),
  );
  const isTimeLeft = () => context.getRemainingTimeInMillis() > RESERVE_MS;
  const kept = await mapConcurrently(groups, CONCURRENT_GROUPS, ({ reaction, group }) =>
    handleGroup(consumer.name, reaction, group, isTimeLeft),
  );
  const redrives = received.filter(({ change }) => isRedrive(consumer.name, change));
  for (const { change } of redrives) await redrive(consumer, change);
  log.info('Processed changes of the table.', {
    operation: consumer.name,
    records: Records.length,
    deadLetters: kept.reduce((sum, count) => sum + count, 0),
    ms: clock.now() - startedMs,
  });
}

function groupsOf({ on, groupBy = itemOf }: Reaction, received: readonly Received[]): Received[][] {
  const groups = new Map<string, Received[]>();
  for (const each of received) {
    if (!on.some(filter => matches(filter, each.record))) continue;
    const name = groupBy(each.change);
    const group = groups.get(name);
    if (group) group.push(each);
    else groups.set(name, [each]);
  }
  return [...groups.values()];
}

/**
 * Orders groups round-robin by tenant, so that hundreds of changes of one tenant do not block another tenant's change.
 */
function orderFairly<T extends { group: Received[] }>(groups: readonly T[]): T[] {
  const queue = createFairQueue<T>();
  for (const each of groups) queue.add(tenantOf(each.group[0]!.change.pk), each);
  return Array.from(groups, () => queue.take()!);
}

const itemOf = ({ pk, sk }: StreamChange) => `${pk} ${sk}`;

async function handleGroup(
  consumer: string,
  reaction: Reaction,
  group: readonly Received[],
  isTimeLeft: () => boolean,
): Promise<number> {
  const error = await attempt(
    reaction,
    group.map(({ change }) => change),
    isTimeLeft,
  );
  if (error === undefined) return 0;
  if (group.length > 1) {
    let kept = 0;
    for (const each of group) kept += await handleGroup(consumer, reaction, [each], isTimeLeft);
    return kept;
  }
  const [{ record, change }] = group as [Received];
  if (await reaction.late?.isDone(change)) return 0;
  await keepChange({ consumer, reaction: reaction.name, record, change, error });
  return 1;
}
