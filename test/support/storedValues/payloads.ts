/** Message payloads with a long text, generated from the schema of each variant. */
import type * as z from 'zod/mini';
import { Payload } from '#shared/domain/messaging/chatPayload.ts';

type Schema = z.core.$ZodType;

/** Returns an example of a schema. Each text in it has `text`. */
function example(schema: Schema, text: string): unknown {
  const { def } = schema._zod as unknown as { def: z.core.$ZodTypes['_zod']['def'] };
  switch (def.type) {
    case 'literal':
      return def.values[0];
    case 'enum':
      return Object.values(def.entries)[0];
    case 'string':
      return text;
    case 'number':
      return 1;
    case 'array':
      return [example(def.element, text)];
    case 'object':
      return Object.fromEntries(
        Object.entries(def.shape)
          .filter(([, field]) => !isOptional(field))
          .map(([name, field]) => [name, example(field, text)]),
      );
    default:
      throw new Error(`A payload has a field of the type ${def.type}. Add it here.`);
  }
}

const isOptional = (schema: Schema) => schema._zod.def.type === 'optional';

const variants = Payload._zod.def.options as readonly Schema[];

/** Returns a payload of each variant. Fields without a text get one, because payloads may have additional keys. */
export const payloadsOf = (text: string) =>
  variants.map(variant => ({ note: text, ...(example(variant, 'short') as { type: string }) }));
