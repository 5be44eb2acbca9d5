/**
 * Endpoint URLs are untrusted. Redirects are not followed. Unless the operator allows it, private, link-local and
 * metadata addresses are blocked, even behind a public name.
 */

import { request as httpRequest, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { useAgent } from 'request-filtering-agent';
import { clock } from '#shared/core/clock.ts';
import { environment } from '#shared/core/environment.ts';
import { errorFields, log } from '#shared/core/log.ts';
import { ACCEPT_ENCODING, DecodedTooLargeError, decoded, InvalidEncodingError } from './contentEncoding.ts';

/** Reasons are returned to callers, so they never contain resolved addresses. */
export type CallOutcome = { kind: 'answered'; status: number; text: string } | NoResponse;

export type NoResponse =
  | { kind: 'timedOut' }
  | { kind: 'failed'; reason: string }
  | { kind: 'crashed'; reason: string; ranOutOfTime?: true };

export type FetchOutcome =
  | { kind: 'answered'; status: number; headers: IncomingHttpHeaders; bytes: Buffer }
  | NoResponse;

const ANSWER_LIMIT_BYTES = 4 * 1024 * 1024;
const STATUS_ONLY_BYTES = 16 * 1024;

export interface EndpointCall {
  headers: Record<string, string>;
  body: string;
  timeoutMs: number;
  /** Aborts the call. */
  signal?: AbortSignal;
}

/** Failures are outcomes; they are never thrown. @param call.statusOnly reads at most the start of the body */
export async function callEndpoint(
  url: string,
  { statusOnly = false, ...call }: EndpointCall & { statusOnly?: boolean },
): Promise<CallOutcome> {
  return outcomeOf(url, call, async response => ({
    kind: 'answered',
    status: response.statusCode ?? 0,
    text: (await (statusOnly ? readStart(response) : readWhole(response))).toString(),
  }));
}

/** Posts JSON and returns the whole response, decompressed and without `Content-Encoding`. Never throws. */
export const fetchEndpoint = (url: string, call: EndpointCall): Promise<FetchOutcome> =>
  outcomeOf(url, call, async response => {
    const { 'content-encoding': _, ...headers } = response.headers;
    return { kind: 'answered', status: response.statusCode ?? 0, headers, bytes: await readWhole(response) };
  });

async function outcomeOf<Outcome>(
  url: string,
  { headers, body, timeoutMs, signal: ended }: EndpointCall,
  read: (response: IncomingMessage) => Promise<Outcome>,
): Promise<Outcome | NoResponse> {
  using limit = clock.limit(timeoutMs);
  const signal = ended ? AbortSignal.any([limit.signal, ended]) : limit.signal;
  try {
    const sent = { ...headers, 'content-type': 'application/json', 'accept-encoding': ACCEPT_ENCODING };
    return await read(await request(url, { method: 'POST', headers: sent, body, signal }));
  } catch (error) {
    if (signal.aborted) return { kind: 'timedOut' };
    log.info('An endpoint could not be called.', { host: URL.parse(url)?.host, error: errorFields(error) });
    return { kind: 'failed', reason: reasonOf(error) };
  }
}

const REASONS: Record<string, string> = {
  ENOTFOUND: 'its host name does not exist',
  EAI_AGAIN: 'its host name could not be resolved',
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection was reset',
  EPIPE: 'the connection was reset',
  ETIMEDOUT: 'the connection timed out',
  EHOSTUNREACH: 'the host is unreachable',
  ENETUNREACH: 'the network is unreachable',
};

export const NOT_PUBLIC = 'its address is not public';

/** Errors of Node.js and the agent contain addresses and certificate details. */
export function reasonOf(error: unknown): string {
  if (error instanceof AnswerTooLargeError || error instanceof InvalidEncodingError) return error.message;
  const { code, message } = error as NodeJS.ErrnoException;
  if (/is not allowed\. Because/.test(message)) return NOT_PUBLIC;
  if (code === undefined) return 'the connection failed';
  const reason = /CERT|TLS|SSL/.test(code) ? 'its TLS certificate or handshake is not valid' : REASONS[code];
  return `${reason ?? 'the connection failed'} (${code})`;
}

class AnswerTooLargeError extends Error {
  override readonly name = 'AnswerTooLargeError';

  constructor(limitBytes: number) {
    super(`the response is larger than ${limitBytes / 1024 / 1024} MB`);
  }
}

/** No keep-alive: a connection closed while the Lambda function was frozen would fail the next call. */
const agentFor = (url: string) => (environment.arePrivateEndpointsAllowed ? false : useAgent(url));

export interface OutboundRequest {
  method: string;
  headers: Record<string, string>;
  body?: string | undefined;
  signal?: AbortSignal | undefined;
}

/** Sends a request to an untrusted URL, without following redirects. @throws errors of the connection, and on abort */
export function request(url: string, { method, headers, body, signal }: OutboundRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const send = url.startsWith('https:') ? httpsRequest : httpRequest;
    const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) };
    send(url, { method, headers: { ...headers, ...length }, agent: agentFor(url), ...(signal ? { signal } : {}) })
      .on('response', resolve)
      .on('error', reject)
      .end(body);
  });
}

async function readStart(response: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of response) {
      bytes += chunk.length;
      chunks.push(chunk);
      if (bytes > STATUS_ONLY_BYTES) break;
    }
  } catch {
    // Only the status matters, and it has arrived.
  }
  try {
    const encoding = response.headers['content-encoding'];
    return decoded(Buffer.concat(chunks), encoding, { maxOutputLength: ANSWER_LIMIT_BYTES, isPart: true });
  } catch {
    return Buffer.alloc(0);
  }
}

/** Returns the decompressed body. @throws Error for one above the limit, before or after decompression */
export async function readWhole(response: IncomingMessage, limitBytes = ANSWER_LIMIT_BYTES): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response) {
    bytes += chunk.length;
    if (bytes > limitBytes) {
      response.destroy();
      throw new AnswerTooLargeError(limitBytes);
    }
    chunks.push(chunk);
  }
  try {
    const encoding = response.headers['content-encoding'];
    return decoded(Buffer.concat(chunks), encoding, { maxOutputLength: limitBytes });
  } catch (error) {
    throw error instanceof DecodedTooLargeError ? new AnswerTooLargeError(limitBytes) : error;
  }
}
