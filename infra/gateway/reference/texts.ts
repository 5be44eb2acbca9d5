/** The words about an operation: a line for lists, and what there is to say. */

import type { Operation } from '#shared/api/operations.ts';
import { callersOf } from './callers.ts';

const FIRST_SENTENCE = /^.*?[.:](?=\s|$)/;

export function describe(operation: Operation): { summary: string; description: string } {
  const first = FIRST_SENTENCE.exec(operation.summary)?.[0] ?? operation.summary;
  return {
    summary: first.replace(/[.:]$/, ''),
    description: [operation.summary, `May be called by: ${callersOf(operation)}.`].join('\n\n'),
  };
}
