/** Summary and description of an operation. */

import type { Operation } from '#shared/api/operations/operations.ts';
import { callersOf } from './callers.ts';

const FIRST_SENTENCE = /^.*?[.:](?=\s|$)/;

export function describe(operation: Operation): { summary: string; description: string } {
  const first = FIRST_SENTENCE.exec(operation.summary)?.[0] ?? operation.summary;
  return {
    summary: first.replace(/[.:]$/, ''),
    description: [operation.summary, `Callers: ${callersOf(operation)}.`].join('\n\n'),
  };
}
