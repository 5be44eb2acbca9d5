/**
 * The `fetch` of calls to an identity provider, whose address an owner of a workspace chose. Private addresses are
 * blocked as for endpoints, redirects are not followed, and responses are limited.
 */
import { readWhole, request } from '#shared/outbound/endpoints/callEndpoint.ts';
import { ACCEPT_ENCODING } from '#shared/outbound/endpoints/contentEncoding.ts';

const MAX_BYTES = 1024 * 1024;

export interface ProviderRequest {
  method: string;
  headers: Record<string, string>;
  body?: unknown;
  signal?: AbortSignal | undefined;
}

/** @throws errors of the connection, and on abort */
export async function fetchFromProvider(url: string, { body, headers, ...rest }: ProviderRequest): Promise<Response> {
  const answer = await request(url, {
    ...rest,
    headers: { ...headers, 'accept-encoding': ACCEPT_ENCODING },
    body: body === undefined || body === null ? undefined : String(body),
  });
  const bytes = await readWhole(answer, MAX_BYTES);
  const { 'content-encoding': _, 'content-length': __, ...received } = answer.headers;
  const status = answer.statusCode ?? 500;
  // `Response` rejects a body for these.
  const isWithoutBody = [204, 205, 304].includes(status);
  return new Response(isWithoutBody ? null : new Uint8Array(bytes), {
    status,
    headers: Object.entries(received).flatMap(([name, value]): [string, string][] =>
      value === undefined ? [] : [[name, String(value)]],
    ),
  });
}
