/**
 * Section `documents`: the share of the words of documents that Parley reads, compared with independent readers. It
 * measures the files of a folder of yours:
 *
 *     python3 -m venv ../readers && ../readers/bin/pip install \\
 *       beautifulsoup4 ebooklib odfpy openpyxl pypdf python-docx python-pptx striprtf
 *     BENCH_DOCUMENTS=folder BENCH_PYTHON=../readers/bin/python npm run bench -- documents
 */
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { promisify } from 'node:util';
import mime from 'mime';
import { extract } from '#shared/ai/extraction/extract.ts';
import type { Section } from './report.ts';
import { quantile } from './statistics.ts';

const { BENCH_DOCUMENTS: FOLDER, BENCH_PYTHON: PYTHON = 'python3' } = process.env;
const OUTPUT_LIMIT_BYTES = 2 ** 30;
/** Share of the words of a file, of which most files must have at least so many. */
const MOST = 0.95;
/** Listed files, which have the lowest shares. */
const WORST = 10;

/** Line of `documents.py`. */
interface Reference {
  file: string;
  text?: string;
  error?: string;
}

interface Reading {
  file: string;
  format: string;
  /** Distinct words of the reference. */
  words: number;
  found: number;
  durationMs: number;
  /** Set if Parley refuses the file. */
  reason?: string;
}

export async function measure(): Promise<Section> {
  const section = {
    title: 'Documents',
    measures: 'Share of the distinct words that an independent reader finds and Parley reads, and the time to read.',
    columns: ['Format', 'Files with words', 'Words', 'Share', 'Files ≥ 95 %', 'Complete files', 'Refused', 'Median ms'],
  };
  if (!FOLDER) return { ...section, rows: [], notes: ['Set BENCH_DOCUMENTS to a folder of documents.'] };
  const script = join(import.meta.dirname, 'documents.py');
  const { stdout } = await promisify(execFile)(PYTHON, [script, FOLDER], { maxBuffer: OUTPUT_LIMIT_BYTES });
  const readings: Reading[] = [];
  const unreadable: string[] = [];
  for (const line of stdout.split('\n').filter(Boolean)) {
    const reference: Reference = JSON.parse(line);
    if (reference.text === undefined) unreadable.push(reference.file);
    else readings.push(await compare(FOLDER, reference.file, reference.text));
  }
  const withWords = readings.filter(({ words }) => words > 0);
  const formats = [...new Set(withWords.map(({ format }) => format))].sort();
  const worst = readings
    .filter(({ words, found }) => found < words)
    .sort((a, b) => a.found / a.words - b.found / b.words)
    .slice(0, WORST);
  return {
    ...section,
    rows: [
      ...formats.map(format =>
        rowOf(
          format,
          withWords.filter(each => each.format === format),
        ),
      ),
      rowOf('all', withWords),
    ],
    notes: [
      `The independent reader fails for ${unreadable.length} more files.`,
      ...worst.map(({ file, words, found, reason }) => `${file}: ${found} of ${words} words. ${reason ?? ''}`.trim()),
    ],
  };
}

function rowOf(format: string, readings: Reading[]): string[] {
  const words = sum(readings.map(each => each.words));
  const found = sum(readings.map(each => each.found));
  return [
    format,
    String(readings.length),
    String(words),
    percent(found / words),
    percent(readings.filter(each => each.found >= MOST * each.words).length / readings.length),
    String(readings.filter(each => each.found === each.words).length),
    String(readings.filter(({ reason }) => reason !== undefined).length),
    quantile(
      readings.map(each => each.durationMs),
      0.5,
    ).toFixed(1),
  ];
}

async function compare(folder: string, file: string, text: string): Promise<Reading> {
  const bytes = await readFile(join(folder, file));
  const startMs = performance.now();
  const { blocks, reason } = await extract(bytes, { contentType: typeOf(file), key: file }).then(
    ({ blocks: read }) => ({ blocks: read, reason: undefined }),
    (error: Error) => ({ blocks: [], reason: error.message }),
  );
  const durationMs = performance.now() - startMs;
  const read = wordsOf(blocks.map(block => block.text).join('\n'));
  const wanted = wordsOf(text);
  const found = [...wanted].filter(word => read.has(word)).length;
  const format = extname(file).slice(1).toLowerCase();
  return { file, format, words: wanted.size, found, durationMs, ...(reason && { reason }) };
}

const typeOf = (file: string) => mime.getType(file) ?? 'application/octet-stream';

const percent = (share: number) => `${(100 * share).toFixed(2)} %`;

const wordsOf = (text: string) =>
  new Set(
    text
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? [],
  );
const sum = (values: number[]) => values.reduce((total, value) => total + value, 0);
