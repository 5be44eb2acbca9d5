import type { Values } from '#shared/domain/tables/query/field.ts';
import type { Column } from '#shared/storage/dynamodb/tables/column.ts';

const column = (name: string, type: Column['type'], more: Partial<Column> = {}): Column => ({
  id: name.slice(0, 3),
  name,
  type,
  nullable: true,
  ...more,
});

export const columns: Column[] = [
  column('name', 'string'),
  column('age', 'number'),
  column('isNew', 'boolean'),
  column('seenAt', 'string', { format: 'date-time' }),
  column('address', 'object'),
  column('tags', 'array'),
  column('nothing', 'null'),
  column('constructor', 'string'),
  column('__proto__', 'string'),
  column('$price', 'number'),
];

export const row = (id: number, values: Values = {}): Values => ({
  id,
  createdAt: '2024-01-01T00:00:00.000Z',
  updatedAt: '2024-01-02T00:00:00.000Z',
  ...values,
});

/** Returns the message of an error, and the path in the input. */
export function refusal(act: () => unknown): { path: string; message: string } {
  try {
    act();
  } catch (error) {
    const { type, metadata } = error as { type: string; metadata?: { issues: { path: string; message: string }[] } };
    if (type === 'InvalidPayload' && metadata) return metadata.issues[0]!;
    throw error;
  }
  throw new Error('Nothing was refused.');
}
