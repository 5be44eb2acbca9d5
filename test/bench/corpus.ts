/** Texts and questions about them, to measure retrieval. */
import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { cutPassages } from '#shared/ai/extraction/cutPassages.ts';
import { readMarkdown } from '#shared/ai/extraction/formats/readMarkdown.ts';
import type { IndexingSettings } from '#shared/core/passage.ts';

const FOLDER = new URL('./corpus/', import.meta.url);

export interface Question {
  /** Words shared with the passage: none, only rare ones, or some. */
  kind: 'paraphrased' | 'rare' | 'mixed';
  question: string;
  file: string;
  /** A phrase of the relevant passage. */
  answer: string;
}

export interface Corpus {
  name: string;
  questions: readonly Question[];
  /** The passages of every file, cut as indexing cuts them. */
  passages(settings: IndexingSettings): Map<string, string[]>;
}

function open(name: string, folder: URL): Corpus {
  const text = (file: string) => readFileSync(new URL(file, folder), 'utf8');
  const files = globSync('*.md', { cwd: fileURLToPath(folder) }).sort();
  return {
    name,
    questions: JSON.parse(text('questions.json')),
    passages: settings =>
      new Map(files.map(file => [file, cutPassages(readMarkdown(text(file)), settings).map(({ content }) => content)])),
  };
}

/** Public-domain texts from memory, so the wording is not authentic. */
const classics = open('classics', new URL('classics/', FOLDER));

/** Written after the search was tuned by the classics, to check that it was not fitted to them. */
const handbooks = open('handbooks', new URL('handbooks/', FOLDER));

export const corpora: readonly [Corpus, ...Corpus[]] = [classics, handbooks];

export const { questions, passages: corpus } = classics;
