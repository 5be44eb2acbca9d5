import type { Column } from '#shared/storage/dynamodb/tables/column.ts';

export function viewSchema(columns: readonly Column[]) {
  const required = columns.filter(({ nullable }) => !nullable).map(({ name }) => name);
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    type: 'object' as const,
    additionalProperties: true as const,
    // Object.fromEntries creates own properties even for names like `constructor`.
    properties: Object.fromEntries(columns.map((column, index) => [column.name, viewColumn(column, index)])),
    ...(required.length > 0 ? { required } : {}),
  };
}

function viewColumn(column: Column, index: number) {
  const { id, name: _, type, format, description, pattern, enum: values, items, properties, nullable, ...zui } = column;
  return {
    type,
    ...(format && { format }),
    ...(description !== undefined && { description }),
    ...(pattern !== undefined && { pattern }),
    ...(values && { enum: values }),
    ...(items && { items }),
    nullable,
    ...(properties && { properties }),
    'x-zui': { index, id, ...zui },
  };
}
