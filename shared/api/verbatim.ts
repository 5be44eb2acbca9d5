/**
 * A value that must match a schema and is then passed on as it came. Zod's own objects are copies with their known keys in
 * front; a payload comes back to its sender byte for byte.
 */
import * as z from 'zod/mini';

/** The schema that stands for a verbatim one in the published documents. */
const inner = new WeakMap<z.core.$ZodType, z.core.$ZodType>();

export function verbatim<S extends z.ZodMiniType>(schema: S): z.ZodMiniCustom<z.output<S>> {
  const outer = z.custom<z.output<S>>().check(context => {
    const result = schema.safeParse(context.value);
    if (!result.success)
      context.issues.push(...result.error.issues.map(issue => ({ ...issue, input: context.value }) as never));
  });
  inner.set(outer, schema);
  return outer as z.ZodMiniCustom<z.output<S>>;
}

/** A value of ours that was checked when it came in: described by the schema, and not checked again. */
export function trusted<S extends z.ZodMiniType>(schema: S): z.ZodMiniCustom<z.output<S>> {
  const outer = z.custom<z.output<S>>();
  inner.set(outer, schema);
  return outer;
}

export const documentedAs = (schema: z.core.$ZodType) => inner.get(schema);
