import * as z from 'zod/mini';
import { isObject } from '#shared/core/objectIn.ts';
import { InexactJsonError, parseExactly } from '#shared/core/parseExactly.ts';

export const orJson = <S extends z.ZodMiniType>(schema: S) =>
  z.pipe(
    z.transform((value: unknown, { issues }) => {
      if (typeof value !== 'string' || !/^[[{]/.test(value)) return value;
      try {
        return parseExactly(value);
      } catch (error) {
        if (error instanceof InexactJsonError) {
          issues.push({
            code: 'custom',
            message: error.message,
            path: error.path.split('.').filter(Boolean),
            input: value,
          });
        }
        return value;
      }
    }),
    schema,
  );

export const oneOrMore = <T extends string>(item: z.ZodMiniType<T>) =>
  orJson(
    z.pipe(
      z.transform((value: unknown) => (typeof value === 'string' ? [value] : elementsOf(value))),
      z.array(item).check(z.maxLength(100)),
    ),
  );

/** Returns the values of `ids[0]=a&ids[1]=b` in the order of their indices. */
const elementsOf = (value: unknown) =>
  isObject(value) && Object.keys(value).every(key => /^\d{1,3}$/.test(key)) ? Object.values(value) : value;

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
