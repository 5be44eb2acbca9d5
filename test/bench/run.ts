/**
 * `npm run bench`: compares Parley with a floor, the least code with the same result, and prints a table per section;
 * `npm run bench -- cold sizes` runs only these. Only ratios within a run are meaningful, because platform and floor
 * alternate on the same machine. It reports missed budgets, but does not fail.
 */
import { cpus, loadavg } from 'node:os';
import { markdown, type Section } from './report.ts';
import { type Services, startServices } from './services.ts';

const sections: Record<string, () => Promise<{ measure(services: Services): Promise<Section> }>> = {
  sizes: () => import('./sizes.ts'),
  pages: () => import('./pages.ts'),
  cold: () => import('./cold.ts'),
  warm: () => import('./warm.ts'),
  throughput: () => import('./throughput.ts'),
  growth: () => import('./growth.ts'),
  timeline: () => import('./timeline.ts'),
  listeners: () => import('./listeners.ts'),
  idleListeners: () => import('./idleListeners.ts'),
  connections: () => import('./connections.ts'),
  storm: () => import('./storm.ts'),
  streams: () => import('./streams.ts'),
  code: () => import('./code.ts'),
  uploads: () => import('./uploads.ts'),
  fileLists: () => import('./fileLists.ts'),
  retrieval: () => import('./retrieval.ts'),
  publicRetrieval: () => import('./publicRetrieval.ts'),
  embedder: () => import('./embedder.ts'),
  documents: () => import('./documents.ts'),
  passages: () => import('./passages.ts'),
  rows: () => import('./rows.ts'),
  snapshots: () => import('./snapshots.ts'),
  afterInsert: () => import('./afterInsert.ts'),
  inserts: () => import('./inserts.ts'),
  tableJobs: () => import('./tableJobs.ts'),
};

const say = (text: string) => process.stdout.write(`${text}\n\n`);

async function run(names: string[]): Promise<void> {
  const unknown = names.filter(name => !sections[name]);
  if (unknown.length > 0)
    throw new Error(`Unknown section: ${unknown}. Choose from ${Object.keys(sections).join(', ')}.`);

  say(`Node ${process.version}, ${cpus().length} × ${cpus()[0]?.model}, load ${loadavg()[0]!.toFixed(1)}.`);
  const services = await startServices();
  try {
    for (const name of names.length > 0 ? names : Object.keys(sections)) {
      const { measure } = await sections[name]!();
      say(markdown(await measure(services), `npm run bench -- ${name}`));
    }
  } finally {
    await services.stop();
  }
}

// The servers stop on `exit`.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(130));
run(process.argv.slice(2)).then(
  () => process.exit(),
  error => {
    process.stderr.write(`${error.stack}\n`);
    process.exit(1);
  },
);
