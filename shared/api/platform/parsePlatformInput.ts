/**
 * Parses the input of a platform operation. Queries come as the official client writes them (repeated names, dots for
 * nested fields) and as the ecosystem's samples do (brackets): docs/compatibility.md#query-encoding.
 */
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { parse } from 'picoquery';
import * as z from 'zod/mini';
import { parseInput } from '#shared/api/steps/parseInput.ts';
import type { PlatformOperation } from './operation.ts';

export function readQuery({
  multiValueQueryStringParameters,
}: Pick<APIGatewayProxyEvent, 'multiValueQueryStringParameters'>): Record<string, unknown> {
  const pairs = Object.entries(multiValueQueryStringParameters ?? {}).flatMap(([name, values]) =>
    (values ?? []).map(value => `${encodedName(name)}=${encodeURIComponent(value)}`),
  );
  // The gateway has decoded the values, and the library expects encoded text.
  return parse(pairs.join('&'), { nesting: true, nestingSyntax: 'js', arrayRepeat: true, arrayRepeatSyntax: 'repeat' });
}

/** Brackets are syntax and stay unencoded. */
const encodedName = (name: string) => encodeURIComponent(name).replaceAll('%5B', '[').replaceAll('%5D', ']');

const read = parseInput(readQuery, ({ body }) => body);

// A named function, for the chain's test.
export const parsePlatformInput = (operation: PlatformOperation) => read(operation);

/** A value that may also be written as JSON. */
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

/** One value or several of the same name. */
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

/** A whole number of a query, in a range. */
export const wholeNumber = (least: number, most: number) =>
  z.pipe(
    z.string().check(z.regex(/^\d{1,4}$/, { error: 'Must be a whole number' })),
    z.pipe(z.transform(Number), z.number().check(z.minimum(least), z.maximum(most))),
  );

/** The query of every list. */
export const pageQuery = {
  nextToken: z.optional(z.string()),
  pageSize: z.optional(wholeNumber(1, MAX_PAGE_SIZE)),
};
