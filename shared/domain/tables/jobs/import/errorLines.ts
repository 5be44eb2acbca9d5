/** The job's plan keeps the latest lines and objects keep the rest, so a killed run loses none. */

import { startOf } from '#shared/core/excerpt.ts';
import { csvLine } from '#shared/domain/tables/jobs/export/exportText.ts';
import { escapeFormula } from '#shared/domain/tables/jobs/formulaEscapes.ts';
import { putStagedObject } from '#shared/storage/dynamodb/engine/stagedObjects.ts';
import type { ErrorState } from './importPlan.ts';

const LINES = 100_000;
const MESSAGE_CHARS = 500;
/** Bounds the plan, which every checkpoint writes. */
const TEXT_CHARS = 32 * 1024;

export function addError(state: ErrorState, error: { record?: number; line?: number; text: string }): ErrorState {
  const { record = '', line = '', text } = error;
  if (state.lines > LINES) return state;
  const isLast = state.lines === LINES;
  const cells = isLast ? ['', '', 'Further errors are omitted.'] : [`${record}`, `${line}`, escapeFormula(cut(text))];
  return { ...state, lines: state.lines + 1, text: state.text + csvLine(cells) };
}
const cut = (text: string) => startOf(text, MESSAGE_CHARS);

export async function spillErrors(state: ErrorState, newObject: () => string): Promise<ErrorState> {
  if (state.text.length < TEXT_CHARS) return state;
  const object = newObject();
  await putStagedObject(object, Buffer.from(state.text));
  return { ...state, pieces: [...state.pieces, object], text: '' };
}

export async function errorFile({ pieces, text }: ErrorState): Promise<Buffer> {
  const { getObject } = await import('#shared/storage/s3/objects.ts');
  const parts: Uint8Array[] = [Buffer.from(csvLine(['row', 'line', 'error']))];
  for (const piece of pieces) parts.push(await getObject(piece));
  return Buffer.concat([...parts, Buffer.from(text)]);
}
