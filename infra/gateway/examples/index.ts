/** The examples of all operations that the published documents describe, and what they are answered. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Operation } from '#shared/api/operations.ts';
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

/** @returns undefined for an operation of webhooks, which are in no document */
export const exampleOf = ({ group, name }: Pick<Operation, 'group' | 'name'>): Example | undefined =>
  EXAMPLES[group]?.[name];

/** What an example was answered; of a stream, all that came. */
export interface ExampleAnswer {
  status: number;
  body: unknown;
}

/** A line for each operation. Written by the test that sends the examples, and compared by it: `EXAMPLES=write`. */
export const ANSWERS_FILE = join(import.meta.dirname, 'answers.json');

const ANSWERS: Record<string, ExampleAnswer> = JSON.parse(readFileSync(ANSWERS_FILE, 'utf8'));

export const answerOf = ({ group, name }: Pick<Operation, 'group' | 'name'>): ExampleAnswer | undefined =>
  ANSWERS[`${group}.${name}`];
