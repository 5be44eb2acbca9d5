import { log } from '#shared/core/log.ts';
import { parseStreamChange, type StreamChange } from '#shared/storage/dynamodb/engine/streamChange.ts';
import { tryWrite, write } from '#shared/storage/dynamodb/engine/transaction.ts';
import {
  AlreadyRepeated,
  claimParked,
  type Parked,
  parseParked,
  recordRepeatedFailure,
  removeParked,
} from '#shared/storage/dynamodb/maintenance/deadLetters.ts';
import { QUEUES } from '#shared/storage/queues/settings.ts';
import { queueUrlOf } from '#shared/storage/queues/urls.ts';
import { type ParkedContent, textOf } from './keepDeadLetter.ts';
import { attempt, type Reacting } from './reaction.ts';

/** Returns true for a request to retry a parked record of this consumer. */
export const isRepetition = (consumer: string, { kind, event, before, after }: StreamChange): boolean =>
  kind === 'parked' &&
  event === 'MODIFY' &&
  after.repeatedBy === consumer &&
  after.repeatedAtMs !== undefined &&
  after.repeatedAtMs !== before.repeatedAtMs;

/** Retries a parked record (`dynamodb/maintenance/deadLetters.ts`). Idempotent: a processed record no longer exists. */
export async function repeat(consumer: Reacting, { after }: StreamChange): Promise<void> {
  const parked = parseParked(after);
  const { findObject, deleteObject } = await import('#shared/storage/s3/objects.ts');
  const bytes = await findObject(parked.object, Number.POSITIVE_INFINITY);
  // An earlier delivery of this request processed it.
  if (!(bytes instanceof Uint8Array)) return;
  const content = JSON.parse(Buffer.from(bytes).toString()) as ParkedContent;
  const error = content.kind === 'change' ? await react(consumer, parked, content) : await send(parked, content);
  const { id, task, tenant } = parked;
  if (error === undefined) {
    await write([removeParked(parked)]);
    await deleteObject(parked.object);
    log.info('Processed a parked record.', { operation: consumer.name, id, task, tenant });
    return;
  }
  await tryWrite(recordRepeatedFailure(parked, textOf(error)));
  log.error('The retry of a parked record failed.', {
    operation: consumer.name,
    id,
    task,
    tenant,
    error: textOf(error),
  });
}

async function react({ reactions }: Reacting, parked: Parked, { record }: Extract<ParkedContent, { kind: 'change' }>) {
  const reaction = reactions.find(({ name }) => name === parked.task);
  if (!reaction) return new Error(`The reaction ${parked.task} no longer exists.`);
  const { name, late, handle } = reaction;
  const handleLate = async ([change]: readonly StreamChange[]) => {
    try {
      await late!.handle(change!, claimParked(parked));
    } catch (error) {
      if (!(error instanceof AlreadyRepeated)) throw error;
    }
  };
  return attempt({ name, handle: late ? handleLate : handle }, [parseStreamChange(record)]);
}

/** Returns the error of a job that its queue rejects, so that the batch continues. */
async function send(
  { id, tenant }: Parked,
  { queue, body, group }: Extract<ParkedContent, { kind: 'job' }>,
): Promise<unknown> {
  try {
    const job = JSON.parse(body);
    const { enqueue, enqueueInOrder } = await import('#shared/storage/queues/queue.ts');
    if (!QUEUES[queue].isInOrder) await enqueue(queueUrlOf(queue), job, { tenant });
    else await enqueueInOrder(queueUrlOf(queue), job, { group: group ?? tenant, once: id });
    return undefined;
  } catch (error) {
    return error;
  }
}
