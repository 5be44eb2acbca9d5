/**
 * Pages that others wrote, with questions that were written before any engine searched them. The pages are not part of
 * the repository: `BENCH_PAGES` names a folder with clones of their repositories, as `<owner>/<name>`.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { cutPassages } from '#shared/ai/extraction/cutPassages.ts';
import { readMarkdown } from '#shared/ai/extraction/formats/readMarkdown.ts';
import type { IndexingSettings, Passage } from '#shared/core/passage.ts';

export interface PublicQuestion {
  kind: 'paraphrased' | 'rare' | 'translated' | 'mixed';
  question: string;
  /** The pages that answer, in one or two languages. */
  files: string[];
  /** A regular expression that a passage with the answer matches, in any case. */
  answer: string;
}

interface Described {
  repository: string;
  commit: string;
  /** The path of each page in the repository. */
  pages: Record<string, string>;
  questions: PublicQuestion[];
}

export interface PublicCorpus {
  name: string;
  questions: PublicQuestion[];
  passages(settings: IndexingSettings): Map<string, Passage[]>;
}

const NAMES = ['framework', 'manual', 'policies'];
const GIT_BYTES = 10_000_000;

export function openPublicCorpora(clones: string): PublicCorpus[] {
  return NAMES.map(name => {
    const url = new URL(`./corpus/public/${name}.json`, import.meta.url);
    const { repository, commit, pages, questions }: Described = JSON.parse(readFileSync(url, 'utf8'));
    const show = (path: string) =>
      execFileSync('git', ['-C', join(clones, repository), 'show', `${commit}:${path}`], {
        encoding: 'utf8',
        maxBuffer: GIT_BYTES,
      });
    const texts = Object.entries(pages).map(([page, path]) => [page, show(path)] as const);
    return {
      name,
      questions,
      passages: settings => new Map(texts.map(([page, text]) => [page, cutPassages(readMarkdown(text), settings)])),
    };
  });
}
