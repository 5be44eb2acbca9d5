/**
 * What is wrong with rows that were not imported, on its way into a file: what was found last stands in the job itself, and
 * the rest in objects, so that none of it is lost with a run that is killed.
 */
import { csvLine } from '#shared/tables/jobs/export/exportText.ts';
import type { ErrorState } from './importPlan.ts';

const LINES = 100_000;
const MESSAGE_CHARS = 500;
/** The job's item is written at every step, and so has few of them. */
const TEXT_CHARS = 32 * 1024;

/** One more line; of very many the last are left out. @param record its number, from 1, if it is about one */
export function addError(state: ErrorState, error: { record?: number; line?: number; text: string }): ErrorState {
  const { record = '', line = '', text } = error;
  if (state.lines > LINES) return state;
  const isLast = state.lines === LINES;
  const cells = isLast ? ['', '', 'There are more errors, which were left out.'] : [`${record}`, `${line}`, cut(text)];
  return { ...state, lines: state.lines + 1, text: state.text + csvLine(cells) };
}
const cut = (text: string) => text.slice(0, MESSAGE_CHARS).toWellFormed();

/** Puts what has become too much for the job's item into an object. */
export async function spillErrors(state: ErrorState, newObject: () => string): Promise<ErrorState> {
  if (state.text.length < TEXT_CHARS) return state;
  const object = newObject();
  const { putObject } = await import('#shared/s3/objects.ts');
  await putObject(object, Buffer.from(state.text));
  return { ...state, pieces: [...state.pieces, object], text: '' };
}

/** All of it. */
export async function errorFile({ pieces, text }: ErrorState): Promise<Buffer> {
  const { getObject } = await import('#shared/s3/objects.ts');
  const parts: Uint8Array[] = [Buffer.from(csvLine(['row', 'line', 'error']))];
  for (const piece of pieces) parts.push(await getObject(piece));
  return Buffer.concat([...parts, Buffer.from(text)]);
}
