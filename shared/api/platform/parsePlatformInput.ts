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
  // The gateway decodes values, but the library expects encoded text.
  return parse(pairs.join('&'), { nesting: true, nestingSyntax: 'js', arrayRepeat: true, arrayRepeatSyntax: 'repeat' });
}

/** Leaves brackets unencoded, because they are syntax. */
const encodedName = (name: string) => encodeURIComponent(name).replaceAll('%5B', '[').replaceAll('%5D', ']');

const read = parseInput(readQuery, ({ body }) => body);

export const parsePlatformInput = (operation: PlatformOperation) => read(operation);
