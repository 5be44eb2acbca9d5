/** Section `tableJobs`: importing, reading and exporting a table of a million rows in bounded memory. */
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { spawnStart, untilStarted } from '#test/infra/local/startProcess.ts';
import { watchMemory } from './memory.ts';
import { type Section, verdict } from './report.ts';
import type { Services } from './services.ts';

const load = createRequire(import.meta.url);
const { Client }: typeof import('@botpress/client') = load('@botpress/client');

const ROWS = Number(process.env.BENCH_ROWS ?? 1_000_000);
const POLL_MS = 500;
/** A goal rather than a limit, because the process is also the gateway, the object store, the queues and the stream. */
const BUDGET_MB = 512;

export async function measure({ directory, dynamodbEndpoint }: Services): Promise<Section> {
  const folder = join(directory, 'tableJobs');
  // In memory: on disk DynamoDB Local writes half as fast.
  const started = spawnStart(folder, { DYNAMODB: dynamodbEndpoint });
  let watch: ReturnType<typeof watchMemory> | undefined;
  try {
    const local = await untilStarted(started, folder);
    const client = new Client({ apiUrl: local.apiUrl, botId: local.botId, token: local.tokens.bot });
    watch = watchMemory(started.child.pid!);
    const rows: string[][] = [];
    const step = async (name: string, work: () => Promise<string>) => {
      const startMs = performance.now();
      const what = await work();
      const seconds = (performance.now() - startMs) / 1000;
      rows.push([name, seconds.toFixed(0), Math.round(ROWS / seconds).toLocaleString('en'), what]);
    };
    const ended = async (table: string, id: string) => {
      for (;;) {
        const job = (await client.getTableJobs({ table })).jobs.find(each => each.id === id)!;
        if (job.status === 'failed') throw new Error(`The job failed: ${JSON.stringify(job)}`);
        if (job.status === 'completed') return job;
        await sleep(POLL_MS);
      }
    };
    const counted = async (table: string, count: number) => {
      while ((await client.getTable({ table })).rows !== count) await sleep(POLL_MS);
    };

    const table = 'millionTable';
    await client.createTable({ name: table, schema: { name: 'x', n: 1 } });
    const lines = Array.from({ length: ROWS }, (_, n) => `person ${n},${n}\n`);
    const { file } = await client.uploadFile({ key: 'rows.csv', content: `name,n\n${lines.join('')}` });
    while ((await client.getFile({ id: file.id })).file.status !== 'upload_completed') await sleep(POLL_MS);
    await step('import CSV', async () => {
      const { job } = await client.importTable({ table, fileId: file.id });
      const { outputFileId } = await ended(table, job.id);
      return outputFileId === null ? 'no row was wrong' : 'ROWS WERE WRONG';
    });
    await step('until all are counted', async () => {
      await counted(table, ROWS);
      return 'exactly';
    });
    await step('sum of a column', async () => {
      const { rows: groups, warnings = [] } = await client.findTableRows({ table, group: { n: ['sum', 'count'] } });
      const { nSum, nCount } = groups[0]!;
      if (warnings.length > 0) return `CUT after ${nCount} rows`;
      return nSum === (ROWS * (ROWS - 1)) / 2 && nCount === ROWS
        ? 'each row is there once'
        : `WRONG: ${nSum} of ${nCount}`;
    });
    await step('export JSON, gzipped', async () => {
      const { job } = await client.exportTable({ table, format: 'json' });
      const { outputFileId } = await ended(table, job.id);
      const { size } = (await client.getFile({ id: outputFileId! })).file;
      return `${(size! / 1e6).toFixed(0)} MB`;
    });
    const grewMb = watch.stop() - watch.startMb;
    return {
      title: 'Jobs on tables',
      measures: `A table of ${ROWS.toLocaleString('en')} rows, in \`npm start\` by the official client.`,
      columns: ['job', 'seconds', 'rows a second', ''],
      rows,
      notes: [
        `The process, which is also the gateway, the queues and the object store, grew by at most ${grewMb.toFixed(0)} MB (aim ${BUDGET_MB} MB: ${verdict(grewMb <= BUDGET_MB)}).`,
      ],
    };
  } finally {
    watch?.stop();
    const exited = once(started.child, 'exit');
    started.child.kill('SIGINT');
    await exited;
  }
}
