import { gzipSync } from 'node:zlib';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { acceptsGzip } from '#shared/api/steps/acceptsGzip.ts';
import { corsHeaders } from '#shared/api/steps/allowOrigin.ts';

/** A handler that returns a fixed JSON text, such as the OpenAPI reference. Not an operation of the contract. */
export function jsonText(body: string) {
  let compressed: string | undefined;
  return async (event: APIGatewayProxyEvent): Promise<APIGatewayProxyResult> => {
    const cors = corsHeaders(event);
    const headers = { 'content-type': 'application/json', ...cors, vary: `${cors.vary}, Accept-Encoding` };
    if (!acceptsGzip(event)) return { statusCode: 200, headers, body };
    compressed ??= gzipSync(body).toString('base64');
    return {
      statusCode: 200,
      headers: { ...headers, 'content-encoding': 'gzip' },
      body: compressed,
      isBase64Encoded: true,
    };
  };
}
