import * as z from 'zod/mini';
import { trusted } from '#shared/api/verbatim.ts';
import { dateTime, iso } from '#shared/api/views.ts';
import { keyColumnOf, type Table } from '#shared/storage/dynamodb/tables/tables.ts';
import { viewSchema } from './schema/schemaView.ts';

export const TableView = z.object({
  id: z.string(),
  name: z.string(),
  factor: z.number(),
  frozen: z.boolean(),
  keyColumn: z.nullable(z.string()),
  schema: trusted(z.looseObject({ type: z.literal('object'), properties: z.record(z.string(), z.any()) })),
  tags: z.record(z.string(), z.string()),
  isComputeEnabled: z.boolean(),
  createdAt: dateTime(),
  updatedAt: dateTime(),
});

export const viewTable = (table: Table): z.infer<typeof TableView> => ({
  id: table.id,
  name: table.name,
  factor: table.factor,
  frozen: table.isFrozen,
  keyColumn: keyColumnOf(table)?.name ?? null,
  schema: viewSchema(table.columns) as z.infer<typeof TableView>['schema'],
  tags: table.tags,
  isComputeEnabled: table.isComputeEnabled,
  createdAt: iso(table.createdAtMs),
  updatedAt: iso(table.updatedAtMs),
});
