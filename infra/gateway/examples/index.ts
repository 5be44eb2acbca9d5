/** Examples of all published operations, with their responses. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Operation } from '#shared/api/operations/operations.ts';
import { ADMIN_EXAMPLES } from './admin.ts';
import { BOT_CHAT_EXAMPLES } from './botChat.ts';
import { CHAT_EXAMPLES } from './chat.ts';
import { COGNITIVE_EXAMPLES } from './cognitive.ts';
import type { Example } from './example.ts';
import { FILES_EXAMPLES } from './files.ts';
import { TABLES_EXAMPLES } from './tables.ts';

const EXAMPLES: Partial<Record<Operation['group'], Readonly<Record<string, Example>>>> = {
  admin: ADMIN_EXAMPLES,
  botChat: BOT_CHAT_EXAMPLES,
  chat: CHAT_EXAMPLES,
  cognitive: COGNITIVE_EXAMPLES,
  files: FILES_EXAMPLES,
  tables: TABLES_EXAMPLES,
};

/** Returns undefined for webhook operations, which no document describes. */
export const exampleOf = ({ group, name }: Pick<Operation, 'group' | 'name'>): Example | undefined =>
  EXAMPLES[group]?.[name];

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
