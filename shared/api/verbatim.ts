/** Schemas that return the value unchanged. Zod's objects return copies with reordered keys. */
import * as z from 'zod/mini';

const inner = new WeakMap<z.core.$ZodType, z.core.$ZodType>();

export const verbatim = <S extends z.ZodMiniType>(schema: S): z.ZodMiniCustom<z.output<S>> =>
  verbatimBy(() => schema, schema);

/** Validates with a schema that depends on the value; `schema` documents all choices. */
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

export function trusted<S extends z.ZodMiniType>(schema: S): z.ZodMiniCustom<z.output<S>> {
  const outer = z.custom<z.output<S>>();
  inner.set(outer, schema);
  return outer;
}

export const documentedAs = (schema: z.core.$ZodType) => inner.get(schema);
