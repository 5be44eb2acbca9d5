/** Responses to the examples of all published operations. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Operation } from '#shared/api/operations/operations.ts';

/** The response to an example: for a stream, all events. */
export interface ExampleResponse {
  status: number;
  body: unknown;
}

/** One line per operation. The test that sends the examples compares the file, or writes it with `EXAMPLES=write`. */
export const ANSWERS_FILE = join(import.meta.dirname, 'answers.json');

const ANSWERS: Record<string, ExampleResponse> = JSON.parse(readFileSync(ANSWERS_FILE, 'utf8'));

export const answerOf = ({ group, name }: Pick<Operation, 'group' | 'name'>): ExampleResponse | undefined =>
  ANSWERS[`${group}.${name}`];
