/**
 * The `fetch` of calls to an identity provider, whose address an owner of a workspace chose: private addresses are
 * blocked as for endpoints, redirects are not followed, and responses are limited.
 */
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { useAgent } from 'request-filtering-agent';
import { environment } from '#shared/core/environment.ts';

const MAX_BYTES = 1024 * 1024;

export interface ProviderRequest {
  method: string;
  headers: Record<string, string>;
  body?: unknown;
  signal?: AbortSignal | undefined;
}

/** @throws errors of the connection, and on abort */
export async function fetchFromProvider(url: string, request: ProviderRequest): Promise<Response> {
  const answer = await send(url, request);
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of answer) {
    bytes += chunk.length;
    if (bytes > MAX_BYTES) {
      answer.destroy();
      throw new Error(`The response of ${URL.parse(url)?.host} is larger than ${MAX_BYTES / 1024 / 1024} MB.`);
    }
    chunks.push(chunk);
  }
  const headers = Object.entries(answer.headers).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, String(value)]],
  );
  const { statusCode: status = 500 } = answer;
  const isWithoutBody = status < 200 || status === 204 || status === 205 || status === 304;
  return new Response(isWithoutBody ? null : Buffer.concat(chunks), { status: status < 200 ? 500 : status, headers });
}

function send(url: string, { method, headers, body, signal }: ProviderRequest): Promise<IncomingMessage> {
  const request = url.startsWith('https:') ? httpsRequest : httpRequest;
  const agent = environment.arePrivateEndpointsAllowed ? false : useAgent(url);
  const text = body === undefined || body === null ? undefined : String(body);
  return new Promise((resolve, reject) => {
    request(url, {
      method,
      headers: { ...headers, ...(text === undefined ? {} : { 'content-length': Buffer.byteLength(text) }) },
      agent,
      ...(signal ? { signal } : {}),
    })
      .on('response', resolve)
      .on('error', reject)
      .end(text);
  });
}
