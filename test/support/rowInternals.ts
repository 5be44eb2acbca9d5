/** Accesses internals of rows: stream changes, queued jobs and vectors. */
import type { SQSRecord } from 'aws-lambda';
import { expect, vi } from 'vitest';
import { reactToTable } from '#functions/events/reactToTable.ts';
import { workOnRows } from '#functions/events/workOnRows.ts';
import { lambdaContext } from '#infra/local/runtime/lambdaContext.ts';
import { chooseEmbedder } from '#shared/ai/embedders/chooseEmbedder.ts';
import { chooseVectorStore } from '#shared/ai/vectorStores/chooseVectorStore.ts';
import { rowIndexOf } from '#shared/domain/tables/search/rowIndex.ts';
import type { RowJob } from '#shared/storage/queues/rowJobs.ts';
import { handlerOf } from './inRoles.ts';
import { type AdminClient, eventually } from './platform.ts';
import { newTableName } from './requests/tables.ts';

const react = reactToTable.handle;
const work = handlerOf(workOnRows);

/** Delivers each batch of changes `times` times, after its first change alone. */
export function redeliverChanges(times = 2): void {
  vi.spyOn(reactToTable, 'handle').mockImplementation(async (event, context) => {
    await react({ Records: event.Records.slice(0, 1) }, context);
    for (let time = 0; time < times; time++) await react(event, context);
  });
}

/** Holds row jobs back. @returns the held jobs */
export function holdRowJobs(): SQSRecord[] {
  const held: SQSRecord[] = [];
  vi.spyOn(workOnRows, 'handle').mockImplementation(async ({ Records }) => void held.push(...Records));
  return held;
}

/** Runs a row job as the queue does. @param attempt counted from 1 @param timeMs the time Lambda grants */
export const runRowJob = (job: RowJob, { attempt = 1, timeMs = 900_000 } = {}) =>
  work(
    {
      Records: [
        {
          body: JSON.stringify(job),
          receiptHandle: 'none',
          attributes: { ApproximateReceiveCount: String(attempt) },
        } as SQSRecord,
      ],
    },
    lambdaContext('workOnRows', timeMs),
  );

export async function newTable(client: AdminClient, schema: Record<string, unknown>, options: object = {}) {
  const { table } = await client.createTable({ name: newTableName(), schema, ...options });
  return table;
}

/** Returns the definition of a computed column. */
export const computed = (type: string, how: object, more: object = {}) => ({
  type,
  ...more,
  'x-zui': { computed: how },
});
export const searchable = { type: 'string', 'x-zui': { searchable: true } };

/** Waits until a table has these counts. */
export const expectCounts = (client: AdminClient, table: string, counts: { rows: number; stale?: number }) =>
  eventually(async () => {
    const { rows, stale, indexing } = await client.getTable({ table });
    expect({ rows, stale, indexing }).toEqual({ stale: 0, indexing: 0, ...counts });
  });

/** Returns the keys of a table's vectors, at most 100. */
export async function vectorsOf(botId: string, tableId: string): Promise<string[]> {
  const [embedder, store] = await Promise.all([chooseEmbedder(), chooseVectorStore()]);
  const [vector] = await embedder.embed(['anything'], 'query', 'bot');
  const found = await store.query(rowIndexOf(botId, tableId, embedder), vector!, { limit: 100 });
  return found.map(({ key }) => key).sort();
}

/** Returns a row with the state of its computed cells. */
export async function cellsOf(client: AdminClient, table: string, id: number) {
  const { row } = await client.getTableRow({ table, id });
  return row;
}

/** Waits until no computed cell of a row is pending. */
export const untilComputed = (client: AdminClient, table: string, id: number) =>
  eventually(async () => {
    const row = await cellsOf(client, table, id);
    expect(Object.values(row.computed).map(({ status }) => status)).not.toContain('pending');
    return row;
  });
