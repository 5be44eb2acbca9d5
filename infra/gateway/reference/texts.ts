/** Summary and description of an operation. */

import type { Operation } from '#shared/api/operations/operations.ts';
import { callersOf } from './callers.ts';
import { limitsOf } from './limitsOf.ts';

const FIRST_SENTENCE = /^.*?[.:](?=\s|$)/;

export function describe(operation: Operation): { summary: string; description: string } {
  const first = FIRST_SENTENCE.exec(operation.summary)?.[0] ?? operation.summary;
  const limits = limitsOf(operation);
  return {
    summary: first.replace(/[.:]$/, ''),
    description: [
      operation.summary,
      `Callers: ${callersOf(operation)}.`,
      ...(limits.length > 0 ? [`Limits: ${limits.join(', ')}.`] : []),
    ].join('\n\n'),
  };
}
