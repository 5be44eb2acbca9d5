/** Generates the table of message payloads in `docs/api/chat.md`, between two marker comments. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { getMessage } from '#functions/chat/getMessage.ts';
import { describedSchema, typeOfVariant, variantsOf } from '#infra/gateway/reference/describedSchemas.ts';
import type { JsonObjectSchema, JsonSchema } from '#infra/gateway/reference/jsonSchemas.ts';
import type { Operation } from '#shared/api/operations/operations.ts';
import { alignedTable, code, type Row } from './markdown.ts';
import { fieldsOf, shapeKey } from './schemaFields.ts';

const PAGE = join(import.meta.dirname, '../../docs/api/chat.md');
const REGION = /(?<=<!-- payloads: [^\n]*-->\n)[\s\S]*?(?=<!-- \/payloads -->)/;

/** Returns the page with the current table. */
export const pageWithPayloads = (): string =>
  readFileSync(PAGE, 'utf8').replace(REGION, () => `\n${alignedTable(COLUMNS, payloadRows())}\n\n`);

/** Types by their frequency in conversations. Others follow. */
const ORDER = [
  ...['text', 'markdown', 'image', 'audio', 'video', 'file', 'location', 'card', 'carousel', 'choice', 'dropdown'],
  'bloc',
];

const COLUMNS: Row = ['Type', 'Field', 'Value', 'Meaning'];

function payloadRows(): Row[] {
  const response = describedSchema(getMessage as unknown as Operation, 'output')!;
  const payload = fieldIn(fieldIn(response, 'message'), 'payload');
  const items = variantsOf(payload).find(each => typeOfVariant(each) === 'bloc')!;
  // A bloc contains payloads of the other types.
  const shapes = new Map([[shapeKey((fieldIn(items, 'items') as { items: JsonSchema }).items), 'payloads']]);
  const rank = (variant: JsonSchema) => ORDER.indexOf(typeOfVariant(variant)!) >>> 0;
  const variants = variantsOf(payload).toSorted((a, b) => rank(a) - rank(b));
  return variants.flatMap(variant => {
    // Cards of a carousel have the fields of a card.
    const fields = fieldsOf(variant, shapes).filter(({ name }) => name !== 'type' && !name.startsWith('items[].'));
    return fields.map(({ name, type, isRequired, limits, description }, index) => [
      index === 0 ? code(typeOfVariant(variant)!) : '',
      code(name),
      [type.replace('list of [payloads](#payloads)', 'payloads[]'), limits, isRequired ? '' : 'optional']
        .filter(Boolean)
        .join(', '),
      description,
    ]);
  });
}

const fieldIn = (schema: JsonSchema, name: string): JsonSchema => (schema as JsonObjectSchema).properties![name]!;
