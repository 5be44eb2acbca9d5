import { log } from '#shared/core/log.ts';
import { parseStreamChange, type StreamChange } from '#shared/storage/dynamodb/engine/streamChange.ts';
import { tryWrite, write } from '#shared/storage/dynamodb/engine/transaction.ts';
import {
  AlreadyRedriven,
  claimDeadLetter,
  type DeadLetter,
  parseDeadLetter,
  recordRedriveFailure,
  removeDeadLetter,
} from '#shared/storage/dynamodb/maintenance/deadLetters.ts';
import { QUEUES } from '#shared/storage/queues/queueSettings.ts';
import { queueUrlOf } from '#shared/storage/queues/urls.ts';
import { type DeadLetterContent, textOf } from './keepDeadLetter.ts';
import { attempt, type Reacting } from './reaction.ts';

/** Reactions that were renamed while their dead letters were stored. */
const FORMER_NAMES: Record<string, string> = {
  followCode: 'rollOutCode',
  followFiles: 'indexFiles',
  followRows: 'computeRows',
  followTables: 'refreshTables',
  followWorkflows: 'writeWorkflowResults',
};

/** Returns true for a request to redrive a dead letter of this consumer. */
export const isRedrive = (consumer: string, { kind, event, before, after }: StreamChange): boolean =>
  kind === 'deadLetter' &&
  event === 'MODIFY' &&
  after.repeatedBy === consumer &&
  after.repeatedAtMs !== undefined &&
  after.repeatedAtMs !== before.repeatedAtMs;

/** Redrives a dead letter (`dynamodb/maintenance/deadLetters.ts`). Idempotent: a processed record no longer exists. */
export async function redrive(consumer: Reacting, { after }: StreamChange): Promise<void> {
  const deadLetter = parseDeadLetter(after);
  const { findObject, deleteObject } = await import('#shared/storage/s3/objects.ts');
  const bytes = await findObject(deadLetter.object, Number.POSITIVE_INFINITY);
  // An earlier delivery of this request processed it.
  if (!(bytes instanceof Uint8Array)) return;
  const content = JSON.parse(Buffer.from(bytes).toString()) as DeadLetterContent;
  const error =
    content.kind === 'change' ? await react(consumer, deadLetter, content) : await send(deadLetter, content);
  const { id, task, tenant } = deadLetter;
  if (error === undefined) {
    await write([removeDeadLetter(deadLetter)]);
    await deleteObject(deadLetter.object);
    log.info('Processed a dead letter.', { operation: consumer.name, id, task, tenant });
    return;
  }
  await tryWrite(recordRedriveFailure(deadLetter, textOf(error)));
  log.error('The redrive of a dead letter failed.', {
    operation: consumer.name,
    id,
    task,
    tenant,
    error: textOf(error),
  });
}

async function react(
  { reactions }: Reacting,
  deadLetter: DeadLetter,
  { record }: Extract<DeadLetterContent, { kind: 'change' }>,
) {
  const current = FORMER_NAMES[deadLetter.task] ?? deadLetter.task;
  const reaction = reactions.find(({ name }) => name === current);
  if (!reaction) return new Error(`The reaction ${deadLetter.task} no longer exists.`);
  const { name, late, handle } = reaction;
  const handleLate = async ([change]: readonly StreamChange[]) => {
    try {
      await late!.handle(change!, claimDeadLetter(deadLetter));
    } catch (error) {
      if (!(error instanceof AlreadyRedriven)) throw error;
    }
  };
  return attempt({ name, handle: late ? handleLate : handle }, [parseStreamChange(record)]);
}

/** Returns the error of a job that its queue rejects, so that the batch continues. */
async function send(
  { id, tenant }: DeadLetter,
  { queue, body, group }: Extract<DeadLetterContent, { kind: 'job' }>,
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
