/** Responses to the examples of all published operations. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Operation } from '#shared/api/operations/operations.ts';

/** The response to an example request. The body of a stream contains all of its events. */
export interface ExampleResponse {
  status: number;
  body: unknown;
}

/** Recorded responses, one operation per line. `examples.test.ts` compares them; `EXAMPLES=write` records them. */
export const ANSWERS_FILE = join(import.meta.dirname, 'answers.json');

const ANSWERS: Record<string, ExampleResponse> = JSON.parse(readFileSync(ANSWERS_FILE, 'utf8'));

export const answerOf = ({ group, name }: Pick<Operation, 'group' | 'name'>): ExampleResponse | undefined =>
  ANSWERS[`${group}.${name}`];
