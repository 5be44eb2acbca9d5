/**
 * Section `embedder`: time and memory of a process that indexes and queries with each built-in embedder, and then
 * idles.
 */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { EMBEDDING_VARIABLES } from '#shared/ai/embedders/embeddingChoice.ts';
import type { Figures } from './embedderProcess.ts';
import type { Section } from './report.ts';
import { quantile } from './statistics.ts';

const PROGRAM = fileURLToPath(new URL('./embedderProcess.ts', import.meta.url));
const CHOICES = ['hashing', 'local'];

export async function measure(): Promise<Section> {
  const rows: string[][] = [];
  let measured: Figures | undefined;
  for (const choice of CHOICES) {
    const env = { ...process.env, [EMBEDDING_VARIABLES.embeddings]: choice };
    const { stdout } = await promisify(execFile)(process.execPath, [PROGRAM], { env });
    const figures: Figures = JSON.parse(stdout);
    measured = figures;
    rows.push([
      choice,
      figures.indexingSeconds.toFixed(1),
      ((figures.embeddingSeconds / figures.passages) * 1000).toFixed(1),
      `${quantile(figures.queryMs, 0.5).toFixed(1)} · ${quantile(figures.queryMs, 0.95).toFixed(1)}`,
      `${quantile(figures.embeddedQueryMs, 0.5).toFixed(1)} · ${quantile(figures.embeddedQueryMs, 0.95).toFixed(1)}`,
      figures.firstQueryMs.toFixed(0),
      ...[figures.startMb, figures.peakMb, figures.restMb].map(megabytes => megabytes.toFixed(0)),
    ]);
  }
  const { passages, characters, queryMs } = measured!;
  return {
    title: 'Embedder',
    measures: `A process indexes ${passages.toLocaleString('en')} passages of ${characters.toFixed(0)} characters on average, answers ${queryMs.length} queries by vectors and keywords, and rests for a minute.`,
    columns: [
      'embedder',
      'indexing, s',
      'embedding of a passage, ms',
      'query: p50 · p95, ms',
      'of it, embedding: p50 · p95, ms',
      'first text after the rest, ms',
      'memory at the start, MB',
      'peak, MB',
      'after the rest, MB',
    ],
    rows,
    notes: ['Indexing includes the terms, which DynamoDB Local stores in another process.'],
  };
}
