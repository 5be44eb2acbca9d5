/** Sections of the reference pages about shapes and events. */

import { deliveredEvents } from '#infra/gateway/reference/deliveries.ts';
import { typeOfVariant, variantsOf } from '#infra/gateway/reference/describedSchemas.ts';
import type { JsonObjectSchema, JsonSchema } from '#infra/gateway/reference/jsonSchemas.ts';
import { code, type Row, table } from './markdown.ts';
import { fieldsOf, type Shapes, typeOf } from './schemaFields.ts';
import type { Shape } from './sharedShapes.ts';

export const OUTPUT_COLUMNS = ['Field', 'Type', 'Values', 'Description'];

export const outputRows = (schema: JsonSchema, shapes: Shapes): Row[] =>
  fieldsOf(schema, shapes).map(({ name, type, isRequired, limits, description }) => [
    code(name),
    isRequired ? type : `${type}, optional`,
    limits,
    description,
  ]);

/** Describes the events that the platform posts to the endpoint of a bot. */
export const eventSections = (shapes: Shapes): string[] => [
  '## Delivered events',
  'The body of a call to the endpoint of a bot is `{ "event": … }`, with the fields of [Event](#event). The fields of `payload` depend on `type`. [Deliveries](../api/botChat.md#deliveries) describes headers and retries.',
  ...deliveredEvents.flatMap(({ name, summary, schema }) => {
    const { event } = (schema as JsonObjectSchema).properties!;
    const { type, payload } = (event as JsonObjectSchema).properties!;
    const types = type!.const ?? (type!.enum as string[] | undefined)?.join('`, `');
    return [
      `### Event ${name}`,
      `${types === undefined ? '' : `Type: \`${types}\`. `}${summary}`,
      table(OUTPUT_COLUMNS, outputRows(payload!, shapes)),
    ];
  }),
];

export function shapeSections(found: readonly Shape[], shapes: Shapes): string[] {
  const byName = found.toSorted((a, b) => a.name.localeCompare(b.name));
  const sections = byName.flatMap(({ name, schema }) => [`### ${name}`, ...shapeSection(schema, shapes)]);
  return sections.length > 0 ? ['## Shapes', ...sections] : [];
}

function shapeSection(schema: JsonSchema, shapes: Shapes): string[] {
  const rows = outputRows(schema, shapes);
  const variants = variantsOf(schema).map(each => typeOf(each, shapes));
  const description = typeOfVariant(schema) === undefined ? undefined : schema.description;
  return [
    ...(description ? [String(description)] : []),
    ...(variants.length > 0 ? [`One of ${variants.join(', ')}.`] : []),
    ...(rows.length > 0 ? [table(OUTPUT_COLUMNS, rows)] : []),
  ];
}
