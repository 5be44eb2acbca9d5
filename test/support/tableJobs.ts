/** Holds table jobs, runs them directly, and awaits them through the API. */
import { randomUUID } from 'node:crypto';
import type { SQSRecord } from 'aws-lambda';
import { expect, vi } from 'vitest';
import { runTableJob } from '#functions/events/runTableJob.ts';
import { lambdaContext } from '#infra/local/runtime/lambdaContext.ts';
import { findJob, listJobs, type TableJob } from '#shared/storage/dynamodb/tables/jobs.ts';
import { QUEUES } from '#shared/storage/queues/queueSettings.ts';
import type { TableJobMessage } from '#shared/storage/queues/tableJobs.ts';
import { fileOf, upload } from './files.ts';
import { handlerOf } from './inRoles.ts';
import { type AdminClient, eventually, type TestBot } from './platform.ts';

const run = handlerOf(runTableJob);

/** Holds table jobs back. @returns the held jobs */
export function holdJobs(): TableJobMessage[] {
  const held: TableJobMessage[] = [];
  vi.spyOn(runTableJob, 'handle').mockImplementation(async ({ Records }) => {
    for (const { body } of Records) held.push(JSON.parse(body));
  });
  return held;
}

/**
 * Runs a job as the queue does.
 * @param attempt counted from 1 @param timeMs the time Lambda grants; 0 allows one step
 */
export const runHeld = (job: TableJobMessage, { attempt = 1, timeMs = 900_000 } = {}) =>
  run(
    {
      Records: [
        {
          body: JSON.stringify(job),
          receiptHandle: 'none',
          attributes: { ApproximateReceiveCount: String(attempt) },
        } as SQSRecord,
      ],
    },
    lambdaContext('runTableJob', timeMs),
  );

/** Waits for the next held job. */
export const takeHeld = (held: TableJobMessage[]): Promise<TableJobMessage> =>
  eventually(async () => {
    expect(held.length).toBeGreaterThan(0);
    return held.shift()!;
  });

/** Runs a held job, one step per run. @returns the number of runs */
export async function runInSteps(held: TableJobMessage[], bot: TestBot, job: { tableId: string; id: string }) {
  for (let runs = 1; ; runs++) {
    await runHeld(await takeHeld(held), { timeMs: 0 });
    const { status } = await recordOf(bot, job);
    if (status === 'completed' || status === 'failed') return runs;
  }
}

/** Runs a job that always fails until it gives up. @returns the number of failed runs */
export async function runUntilGivenUp(held: TableJobMessage[]): Promise<number> {
  let failures = 0;
  for (let message = await takeHeld(held), attempt = 1; attempt <= QUEUES.tableJobs.maxReceives; attempt++) {
    const hasFailed = await runHeld(message, { attempt }).then(
      () => false,
      () => true,
    );
    if (hasFailed) failures++;
    else if (held.length === 0) return failures;
    else [message, attempt] = [held.shift()!, 0];
    expect(failures).toBeLessThan(20);
  }
  throw new Error('The job became a dead letter without reporting its failure.');
}

export async function recordOf(bot: TestBot, { tableId, id }: { tableId: string; id: string }): Promise<TableJob> {
  const job = (await listJobs(bot.id, tableId)).find(each => each.id === id)!;
  return (await findJob(bot.id, tableId, job.position))!;
}

export type Job = Awaited<ReturnType<AdminClient['getTableJobs']>>['jobs'][number];

/** Waits until a job has completed or failed. */
export const untilEnded = (client: AdminClient, { tableId, id }: { tableId: string; id: string }): Promise<Job> =>
  eventually(async () => {
    const { jobs } = await client.getTableJobs({ table: tableId });
    const job = jobs.find(each => each.id === id)!;
    expect(['completed', 'failed']).toContain(job.status);
    return job;
  }, 60_000);

export async function contentOf(client: AdminClient, id: string): Promise<{ key: string; bytes: Buffer }> {
  const file = await fileOf(client, id);
  const response = await fetch(file.url);
  return { key: file.key, bytes: Buffer.from(await response.arrayBuffer()) };
}

/** Uploads content as a file, imports it and waits for the end. */
export async function importContent(
  { client }: Pick<TestBot, 'client'>,
  table: string,
  content: string | Buffer,
  key = `${randomUUID()}.csv`,
): Promise<{ job: Job; errors: string[] }> {
  const job = await untilEnded(client, await startImport(client, table, content, key));
  return { job, errors: await errorsOf(client, job) };
}

export async function startImport(client: AdminClient, table: string, content: string | Buffer, key: string) {
  const file = await upload(client, { key, content });
  return (await client.importTable({ table, fileId: file.id })).job;
}

/** Returns the lines of a job's error file, without the header. */
export async function errorsOf(client: AdminClient, { outputFileId }: Pick<Job, 'outputFileId'>): Promise<string[]> {
  if (outputFileId === null) return [];
  const { bytes } = await contentOf(client, outputFileId);
  return bytes.toString().trimEnd().split('\r\n').slice(1);
}

/** Returns all rows of a table, without the fields that the platform adds. */
export async function rowsOf(client: AdminClient, table: string) {
  const all: Record<string, unknown>[] = [];
  for (let offset = 0; ; ) {
    const { rows, hasMore } = await client.findTableRows({ table, limit: 1_000, offset });
    all.push(...rows);
    if (!hasMore) break;
    offset += rows.length;
  }
  return all.map(({ createdAt: _, updatedAt: __, computed: ___, stale: ____, ...row }) => row);
}
