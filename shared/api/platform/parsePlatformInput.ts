/**
 * Parses the input of a platform operation. Queries come as the official client writes them (repeated names, dots for
 * nested fields) and as the ecosystem's samples do (brackets): docs/api/conventions.md#query-encoding.
 */
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { parse } from 'picoquery';
import type { PlatformOperation } from '#shared/api/operations/platform.ts';
import { parseInput } from '#shared/api/steps/parseInput.ts';

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
