/** Schemas that return the value unchanged. Zod's objects are copies with their known keys first. */
import * as z from 'zod/mini';

/** The schemas that describe verbatim ones in the OpenAPI documents. */
const inner = new WeakMap<z.core.$ZodType, z.core.$ZodType>();

/**
 * Checks a value against a schema and passes it on as it came, so that a payload returns to its sender byte for byte.
 */
export const verbatim = <S extends z.ZodMiniType>(schema: S): z.ZodMiniCustom<z.output<S>> =>
  verbatimBy(() => schema, schema);

/**
 * The same with a schema that the value chooses, so that faults are those of the chosen one.
 * @param schema documents all choices
 */
export function verbatimBy<S extends z.ZodMiniType>(
  choose: (value: unknown) => z.ZodMiniType,
  schema: S,
): z.ZodMiniCustom<z.output<S>> {
  const outer = z.custom<z.output<S>>().check(context => {
    const result = choose(context.value).safeParse(context.value);
    if (!result.success)
      context.issues.push(...result.error.issues.map(issue => ({ ...issue, input: context.value }) as never));
  });
  inner.set(outer, schema);
  return outer as z.ZodMiniCustom<z.output<S>>;
}

/** For stored values that were checked when they came in: documented by the schema, and not checked again. */
export function trusted<S extends z.ZodMiniType>(schema: S): z.ZodMiniCustom<z.output<S>> {
  const outer = z.custom<z.output<S>>();
  inner.set(outer, schema);
  return outer;
}

export const documentedAs = (schema: z.core.$ZodType) => inner.get(schema);
