import * as z from 'zod/mini';

export const orJson = <S extends z.ZodMiniType>(schema: S) =>
  z.pipe(
    z.transform((value: unknown) => {
      if (typeof value !== 'string' || !/^[[{]/.test(value)) return value;
      try {
        return JSON.parse(value);
      } catch {
        return value;
      }
    }),
    schema,
  );

export const oneOrMore = (item: z.ZodMiniType<string>) =>
  orJson(
    z.pipe(
      z.transform((value: unknown) => (typeof value === 'string' ? [value] : value)),
      z.array(item).check(z.maxLength(100)),
    ),
  );

export const queryBoolean = () =>
  z.pipe(
    z.enum(['true', 'false'], { error: 'Must be true or false' }),
    z.transform(text => text === 'true'),
  );

const MAX_PAGE_SIZE = 100;
export const DEFAULT_PAGE_SIZE = 20;

export const wholeNumber = (least: number, most: number) =>
  z.pipe(
    z.string().check(z.regex(/^\d{1,4}$/, { error: 'Must be a whole number' })),
    z.pipe(z.transform(Number), z.number().check(z.minimum(least), z.maximum(most))),
  );

export const pageQuery = {
  nextToken: z.optional(z.string()),
  pageSize: z.optional(wholeNumber(1, MAX_PAGE_SIZE)),
};
