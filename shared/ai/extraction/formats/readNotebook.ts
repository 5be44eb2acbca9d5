/** Jupyter notebooks: cells of Markdown and code, and the text of their outputs. Attachments and images are omitted. */
import { stripVTControlCharacters } from 'node:util';
import { startOf } from '#shared/core/excerpt.ts';
import { placeOfFault } from '#shared/core/jsonPlace.ts';
import { type Block, UnreadableFileError } from '#shared/core/passage.ts';
import { readHtml } from './readHtml.ts';
import { readMarkdown } from './readMarkdown.ts';

type Json = Record<string, unknown>;

const OUTPUT_LIMIT_CHARS = 100_000;

export function* readNotebook(text: string): Generator<Block> {
  for (const cell of cellsOf(parse(text))) {
    const source = textOf(cell.source ?? cell.input);
    if (cell.cell_type === 'markdown' || cell.cell_type === 'heading') {
      const level = cell.cell_type === 'heading' ? `${'#'.repeat(Number(cell.level) || 1)} ` : '';
      yield* readMarkdown(level + source);
    } else yield { type: cell.cell_type === 'code' ? 'code' : 'paragraph', text: source };
    for (const output of objectsIn(cell.outputs)) yield* readOutput(output);
  }
}

function parse(text: string): Json {
  try {
    const value: unknown = JSON.parse(text);
    if (isObject(value)) return value;
  } catch (error) {
    throw new UnreadableFileError(`The file is not a valid notebook: ${placeOfFault(text, error as Error)}.`);
  }
  throw new UnreadableFileError('The file is not a valid notebook: it is not a JSON object.');
}

/** Notebooks before version 4 have sheets. */
const cellsOf = (notebook: Json): Json[] => [
  ...objectsIn(notebook.cells),
  ...objectsIn(notebook.worksheets).flatMap(({ cells }) => objectsIn(cells)),
];

function* readOutput({ output_type, data, text, ename, evalue }: Json): Generator<Block> {
  if (output_type === 'error' || output_type === 'pyerr') {
    yield { type: 'code', text: `${textOf(ename)}: ${textOf(evalue)}` };
    return;
  }
  const byType = isObject(data) ? data : {};
  if (byType['text/markdown'] !== undefined) yield* readMarkdown(outputText(byType['text/markdown']));
  else if (byType['text/html'] !== undefined) yield* readHtml(outputText(byType['text/html']));
  else yield { type: 'code', text: outputText(byType['text/plain'] ?? text) };
}

const outputText = (value: unknown) => startOf(stripVTControlCharacters(textOf(value)), OUTPUT_LIMIT_CHARS);

/** Notebooks store a text as one string or as its lines. */
function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.filter(line => typeof line === 'string').join('');
  return typeof value === 'string' ? value : '';
}

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const objectsIn = (value: unknown): Json[] => (Array.isArray(value) ? value.filter(isObject) : []);
