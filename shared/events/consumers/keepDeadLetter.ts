import type { DynamoDBRecord } from 'aws-lambda';
import * as z from 'zod/mini';
import { clock } from '#shared/core/clock.ts';
import { errorFields, log } from '#shared/core/log.ts';
import { measured } from '#shared/core/metrics.ts';
import type { StreamChange } from '#shared/storage/dynamodb/engine/streamChange.ts';
import { write } from '#shared/storage/dynamodb/engine/transaction.ts';
import { type DeadLetter, deadLetterId, putDeadLetter } from '#shared/storage/dynamodb/maintenance/deadLetters.ts';
import type { QueueName } from '#shared/storage/queues/queueSettings.ts';
import { deadLetterObject } from '#shared/storage/s3/prefixes.ts';

export type DeadLetterContent =
  | { kind: 'change'; record: DynamoDBRecord; error: unknown }
  | { kind: 'job'; queue: QueueName; body: string; group: string | undefined; error: unknown };

/** Consumer that redrives jobs. It may send to every queue. */
const REDRIVES_JOBS = 'reactToTable';

/** Tenant of changes and jobs that name none. */
const PLATFORM = 'platform';

/** Stores a dead letter: the object first, then the record that points to it. */
export async function keepChange({
  consumer,
  reaction,
  record,
  change,
  error,
}: {
  consumer: string;
  reaction: string;
  record: DynamoDBRecord;
  change: StreamChange;
  error: unknown;
}): Promise<void> {
  const { pk, sk, botId: tenant, atMs, sequenceNumber } = change;
  await keep({
    letter: {
      id: deadLetterId(atMs, reaction, pk, sk, sequenceNumber),
      tenant: tenant || PLATFORM,
      consumer,
      repeatedBy: consumer,
      task: reaction,
      about: `${pk} ${sk}`,
    },
    content: { kind: 'change', record, error: errorFields(error) },
    error,
  });
}

const Owned = z.object({
  botId: z.optional(z.string()),
  integrationId: z.optional(z.string()),
  workspaceId: z.optional(z.string()),
  /** Partition key of a timer. */
  pk: z.optional(z.string()),
});

export async function keepJob({
  consumer,
  queue,
  body,
  group,
  error,
}: {
  consumer: string;
  queue: QueueName;
  body: string;
  group: string | undefined;
  error: unknown;
}): Promise<void> {
  const nowMs = clock.now();
  await keep({
    letter: {
      id: deadLetterId(nowMs, queue, body),
      tenant: tenantOf(body),
      consumer,
      repeatedBy: REDRIVES_JOBS,
      task: queue,
    },
    content: { kind: 'job', queue, body, group, error: errorFields(error) },
    error,
  });
}

function tenantOf(body: string): string {
  try {
    const { botId, integrationId, workspaceId, pk } = Owned.parse(JSON.parse(body));
    return botId ?? integrationId ?? workspaceId ?? pk?.split('#')[0] ?? PLATFORM;
  } catch {
    return PLATFORM;
  }
}

async function keep({
  letter,
  content,
  error,
}: {
  letter: Pick<DeadLetter, 'id' | 'tenant' | 'consumer' | 'repeatedBy' | 'task' | 'about'>;
  content: DeadLetterContent;
  error: unknown;
}): Promise<void> {
  const object = deadLetterObject(letter.tenant, letter.id);
  const { putObject } = await import('#shared/storage/s3/objects.ts');
  await putObject(object, Buffer.from(JSON.stringify(content)));
  await write([putDeadLetter({ ...letter, error: textOf(error), parkedAtMs: clock.now(), object, failures: 0 })]);
  const { consumer, task, tenant, id, about } = letter;
  log.error('Stored a dead letter.', {
    operation: consumer,
    task,
    tenant,
    id,
    about,
    error: errorFields(error),
    ...measured({ deadLetters: 1 }),
  });
}

export const textOf = (error: unknown): string =>
  error instanceof Error ? `${error.name}: ${error.message}` : String(error);
