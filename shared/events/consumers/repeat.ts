/** Repeats what is parked, when an operator or a member of the bot has asked for it: see `dynamodb/parked.ts`. */

import { log } from '#shared/core/log.ts';
import {
  AlreadyRepeated,
  type Parked,
  parseParked,
  recordRepeatedFailure,
  removeParked,
  takeParked,
} from '#shared/storage/dynamodb/parked.ts';
import { parseStreamChange, type StreamChange } from '#shared/storage/dynamodb/streamChange.ts';
import { tryWrite, write } from '#shared/storage/dynamodb/transaction.ts';
import { enqueue, enqueueInOrder } from '#shared/storage/queues/queue.ts';
import { QUEUES } from '#shared/storage/queues/settings.ts';
import { queueUrlOf } from '#shared/storage/queues/urls.ts';
import { type ParkedContent, textOf } from './park.ts';
import { attempt, type Reacting } from './reaction.ts';

/** Whether a change is a request to repeat what this consumer repeats. */
export const isRepetition = (consumer: string, { kind, event, before, after }: StreamChange): boolean =>
  kind === 'parked' &&
  event === 'MODIFY' &&
  after.repeatedBy === consumer &&
  after.repeatedAtMs !== undefined &&
  after.repeatedAtMs !== before.repeatedAtMs;

/** Idempotent: what has been repeated is parked no longer. */
export async function repeat(consumer: Reacting, { after }: StreamChange): Promise<void> {
  const parked = parseParked(after);
  const { findObject, deleteObject } = await import('#shared/storage/s3/objects.ts');
  const bytes = await findObject(parked.object, Number.POSITIVE_INFINITY);
  // An earlier delivery of this request has repeated it.
  if (!(bytes instanceof Uint8Array)) return;
  const content = JSON.parse(Buffer.from(bytes).toString()) as ParkedContent;
  const error = content.kind === 'change' ? await react(consumer, parked, content) : await send(parked, content);
  const { id, task, tenant } = parked;
  if (error === undefined) {
    await write([removeParked(parked)]);
    await deleteObject(parked.object);
    log.info('Repeated what was parked.', { operation: consumer.name, id, task, tenant });
    return;
  }
  await tryWrite(recordRepeatedFailure(parked, textOf(error)));
  log.error('What was parked failed again.', { operation: consumer.name, id, task, tenant, error: textOf(error) });
}

/** @returns the error of a reaction that failed again */
async function react({ reactions }: Reacting, parked: Parked, { record }: Extract<ParkedContent, { kind: 'change' }>) {
  const reaction = reactions.find(({ name }) => name === parked.task);
  if (!reaction) return new Error(`There is no reaction ${parked.task} any more.`);
  const { name, late, handle } = reaction;
  const handleLate = async ([change]: readonly StreamChange[]) => {
    try {
      await late!.handle(change!, takeParked(parked));
    } catch (error) {
      if (!(error instanceof AlreadyRepeated)) throw error;
    }
  };
  return attempt({ name, handle: late ? handleLate : handle }, [parseStreamChange(record)]);
}

/** @returns the error of a job that its queue cannot take, so that the batch goes on */
async function send(
  { id, tenant }: Parked,
  { queue, body, group }: Extract<ParkedContent, { kind: 'job' }>,
): Promise<unknown> {
  try {
    const job = JSON.parse(body);
    if (!QUEUES[queue].isInOrder) await enqueue(queueUrlOf(queue), job, { tenant });
    else await enqueueInOrder(queueUrlOf(queue), job, { group: group ?? tenant, once: id });
    return undefined;
  } catch (error) {
    return error;
  }
}
