import * as z from 'zod/mini';
import type { ObjectSchema } from '#shared/api/operation.ts';
import { documentedAs } from '#shared/api/verbatim.ts';

export type JsonSchema = Record<string, unknown>;

export interface JsonObjectSchema {
  properties?: Record<string, JsonSchema>;
  required?: string[];
}

export const jsonSchema = (schema: z.core.$ZodType, io: 'input' | 'output'): JsonSchema => {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema: target }) => {
      const inner = documentedAs(zodSchema);
      if (inner) Object.assign(target, jsonSchema(inner, io));
    },
  }) as JsonSchema;
  return rest;
};

export const inputSchema = (schema: ObjectSchema): JsonObjectSchema => jsonSchema(schema, 'input');
