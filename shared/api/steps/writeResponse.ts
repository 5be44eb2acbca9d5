import { gzipSync } from 'node:zlib';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import type { GatewayResult } from '#shared/api/operation.ts';
import type { Operation } from '#shared/api/operations/operations.ts';
import { ApiError } from '#shared/core/errors.ts';
import { acceptsGzip } from './acceptsGzip.ts';
import type { Middleware } from './startCall.ts';

export const jsonResponse = (
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): APIGatewayProxyResult => ({
  statusCode: status,
  headers: { 'content-type': 'application/json', 'cache-control': 'no-store', ...headers },
  body: JSON.stringify(body),
});

/** Proxies such as nginx collect a response before they pass it on, unless these headers forbid it. */
const UNBUFFERED = { 'cache-control': 'no-store, no-transform', 'x-accel-buffering': 'no' };

const streamAnswer = (status: number, stream: AsyncIterable<string>, contentType: string): GatewayResult => ({
  statusCode: status,
  headers: { 'content-type': contentType, ...UNBUFFERED },
  body: '',
  stream,
});

/** Lambda's limit of 6 MB without the envelope. */
const ANSWER_LIMIT_BYTES = 5.9 * 1024 * 1024;

/**
 * Compresses a large response. Its JSON is nested in JSON, so every quote counts twice. @throws ApiError LimitExceeded
 */
function withinLimit(
  answer: APIGatewayProxyResult,
  event: Pick<APIGatewayProxyEvent, 'headers'>,
): APIGatewayProxyResult {
  // A character takes at most 6 bytes (`\u001f`), so short bodies are not measured.
  if (answer.body.length * 6 <= ANSWER_LIMIT_BYTES) return answer;
  if (Buffer.byteLength(JSON.stringify(answer.body)) <= ANSWER_LIMIT_BYTES) return answer;

  const compressed = gzipSync(answer.body).toString('base64');
  if (acceptsGzip(event) && compressed.length <= ANSWER_LIMIT_BYTES) {
    const headers = { ...answer.headers, 'content-encoding': 'gzip' };
    return { ...answer, headers, body: compressed, isBase64Encoded: true };
  }
  throw new ApiError('LimitExceeded', 'The response exceeds 6 MB. Send Accept-Encoding: gzip.');
}

export const writeResponse = (operation: Operation): Middleware => ({
  after: request => {
    const answer = request.response;
    if (!answer || !('status' in answer)) throw new Error(`${operation.name} returned no response.`);
    if (operation.streams) {
      const contentType = operation.streamsAs === 'lines' ? 'application/x-ndjson' : 'text/event-stream';
      request.response = streamAnswer(answer.status, answer.body as AsyncIterable<string>, contentType);
      return;
    }
    request.response = withinLimit(
      jsonResponse(answer.status, operation.output.parse(answer.body), answer.headers),
      request.event,
    );
  },
});
