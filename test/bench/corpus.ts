/** The corpus: public-domain texts from memory, so the wording is not authentic. */
import { readFileSync } from 'node:fs';
import { cutPassages } from '#shared/ai/extraction/cutPassages.ts';
import { readMarkdown } from '#shared/ai/extraction/formats/markdown.ts';
import type { IndexingSettings } from '#shared/core/passage.ts';

const CORPUS = new URL('./corpus/', import.meta.url);
const FILES = ['aesop.md', 'alice.md', 'america.md', 'constitution.md', 'elements.md', 'holmes.md'];

export interface Question {
  /** The words it shares with the passage: none, words found nowhere else, or some. */
  kind: 'paraphrased' | 'rare' | 'mixed';
  question: string;
  file: string;
  /** A phrase of the relevant passage. */
  answer: string;
}

export const questions: readonly Question[] = JSON.parse(readFileSync(new URL('questions.json', CORPUS), 'utf8'));

/** The passages of every file, cut as indexing cuts them. */
export const corpus = (settings: IndexingSettings): Map<string, string[]> =>
  new Map(FILES.map(file => [file, cutPassages(readMarkdown(text(file)), settings).map(({ content }) => content)]));

const text = (file: string) => readFileSync(new URL(file, CORPUS), 'utf8');
