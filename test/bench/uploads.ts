/** Section `uploads`: a file of 1 GB, uploaded by the official client, does not pass through the platform's memory. */
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { spawnStart, untilStarted } from '#test/infra/local/startProcess.ts';
import { watchMemory } from './memory.ts';
import type { Section } from './report.ts';
import type { Services } from './services.ts';

const load = createRequire(import.meta.url);
const { Client }: typeof import('@botpress/client') = load('@botpress/client');

const MEGABYTE = 1024 * 1024;
const SIZES_MB = (process.env.BENCH_UPLOAD_MB ?? '5,1024').split(',').map(Number);
/** Limit on the growth of the process. */
const BUDGET_MB = 100;
const POLL_MS = 50;

export async function measure({ directory }: Services): Promise<Section> {
  const folder = join(directory, 'uploads');
  const started = spawnStart(folder);
  try {
    const local = await untilStarted(started, folder);
    const client = new Client({ apiUrl: local.apiUrl, botId: local.botId, token: local.tokens.bot });
    // Loading and compiling code does not count as growth.
    for (let i = 0; i < 3; i++) await client.uploadFile({ key: 'warm.bin', content: Buffer.alloc(MEGABYTE) });
    const rows: string[][] = [];
    for (const sizeMb of SIZES_MB) {
      const watch = watchMemory(started.child.pid!);
      const startMs = performance.now();
      const { file } = await client.uploadFile({ key: `${sizeMb}.bin`, content: Buffer.alloc(sizeMb * MEGABYTE, 'x') });
      const tookMs = performance.now() - startMs;
      while ((await client.getFile({ id: file.id })).file.status !== 'upload_completed') await sleep(POLL_MS);
      const grewMb = watch.stop() - watch.startMb;
      rows.push([
        `${sizeMb} MB`,
        (tookMs / 1000).toFixed(1),
        watch.startMb.toFixed(0),
        grewMb.toFixed(0),
        `≤ ${BUDGET_MB}`,
        grewMb <= BUDGET_MB ? 'within budget' : 'OVER BUDGET',
      ]);
    }
    return {
      title: 'Uploads',
      measures:
        "One file, uploaded by the official client's uploadFile to `npm start`, whose process is also the object store.",
      columns: ['file', 'seconds', 'memory before, MB', 'grew by at most, MB', 'budget, MB', ''],
      rows,
    };
  } finally {
    const ended = once(started.child, 'exit');
    started.child.kill('SIGINT');
    await ended;
  }
}
