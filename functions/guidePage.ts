import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { gatewayVariable } from '#shared/api/operation.ts';
import { pathParametersOf } from '#shared/api/pathParameters.ts';

interface Guides {
  headers: Record<string, string>;
  /** JSON with the compressed pages by name. */
  pages: () => string;
}

/** A handler that returns the guide in the path, for example `/v1/docs/chat`. Not an operation of the contract. */
export function guidePage({ headers, pages }: Guides) {
  let byName: Record<string, string> | undefined;
  return async (event: APIGatewayProxyEvent): Promise<APIGatewayProxyResult> => {
    byName ??= JSON.parse(pages()) as Record<string, string>;
    const name = nameIn(event);
    if (!Object.hasOwn(byName, name)) return ABSENT;
    return { statusCode: 200, headers, body: byName[name]!, isBase64Encoded: true };
  };
}

/** Returns an empty name for malformed encoding, which no page has. */
function nameIn(event: APIGatewayProxyEvent): string {
  try {
    return pathParametersOf(event)[gatewayVariable(0)] ?? '';
  } catch {
    return '';
  }
}

const ABSENT: APIGatewayProxyResult = {
  statusCode: 404,
  headers: {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'x-content-type-options': 'nosniff',
  },
  body: '<!doctype html><html lang="en"><title>Not found</title><p>There is no such guide. See the <a href="../docs">API reference</a>.</p></html>',
};
