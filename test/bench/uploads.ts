/** Section `uploads`: a file of 1 GB, put by the official client's `uploadFile`, must not pass through the platform's memory. */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { spawnStart, untilStarted } from '../local/startProcess.ts';
import type { Section } from './report.ts';
import type { Services } from './services.ts';

const load = createRequire(import.meta.url);
const { Client }: typeof import('@botpress/client') = load('@botpress/client');

const MEGABYTE = 1024 * 1024;
const SIZES_MB = (process.env.BENCH_UPLOAD_MB ?? '5,1024').split(',').map(Number);
/** The issue's: so much may the process grow. */
const BUDGET_MB = 100;
const SAMPLE_MS = 50;

/** What a process has in memory, in MB. */
const memoryOf = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) / 1024;

export async function measure({ directory }: Services): Promise<Section> {
  const folder = join(directory, 'uploads');
  const started = spawnStart(folder);
  try {
    const local = await untilStarted(started, folder);
    const client = new Client({ apiUrl: local.apiUrl, botId: local.botId, token: local.tokens.bot });
    // What is loaded and compiled at the first upload is no growth.
    for (let i = 0; i < 3; i++) await client.uploadFile({ key: 'warm.bin', content: Buffer.alloc(MEGABYTE) });
    const rows: string[][] = [];
    for (const sizeMb of SIZES_MB) {
      const beforeMb = memoryOf(started.child.pid!);
      const watch = watchMemory(started.child.pid!);
      const startMs = performance.now();
      const { file } = await client.uploadFile({ key: `${sizeMb}.bin`, content: Buffer.alloc(sizeMb * MEGABYTE, 'x') });
      const tookMs = performance.now() - startMs;
      while ((await client.getFile({ id: file.id })).file.status !== 'upload_completed') await sleep(SAMPLE_MS);
      const grewMb = watch.stop() - beforeMb;
      rows.push([
        `${sizeMb} MB`,
        (tookMs / 1000).toFixed(1),
        beforeMb.toFixed(0),
        grewMb.toFixed(0),
        `≤ ${BUDGET_MB}`,
        grewMb <= BUDGET_MB ? 'within budget' : 'OVER BUDGET',
      ]);
    }
    return {
      title: 'Uploads',
      measures:
        "One file, put by the official client's uploadFile to `npm start`, whose process is also the object store.",
      columns: ['file', 'seconds', 'memory before, MB', 'grew by at most, MB', 'budget, MB', ''],
      rows,
    };
  } finally {
    const ended = once(started.child, 'exit');
    started.child.kill('SIGINT');
    await ended;
  }
}

function watchMemory(pid: number) {
  let most = 0;
  const timer = setInterval(() => {
    most = Math.max(most, memoryOf(pid));
  }, SAMPLE_MS);
  return {
    stop: () => {
      clearInterval(timer);
      return most;
    },
  };
}
