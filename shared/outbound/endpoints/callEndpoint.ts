/**
 * Calling the endpoint of a bot or integration. The address is its owner's, so it is not trusted: redirects are not
 * followed, and unless the operator allows it, nothing private, link-local or of the cloud's own metadata is reached,
 * also not by a name that leads there.
 */

import { request as httpRequest, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { useAgent } from 'request-filtering-agent';
import { clock } from '#shared/core/clock.ts';
import { environment } from '#shared/core/environment.ts';
import { errorFields, log } from '#shared/core/log.ts';

/** What came of a call: an answer, or none and why. Reasons reach callers: they name no address that a name led to. */
export type CallOutcome = { kind: 'answered'; status: number; text: string } | Unanswered;

export type Unanswered =
  | { kind: 'timedOut' }
  /** Refused, unreachable, cut off, too big, or not allowed. */
  | { kind: 'failed'; reason: string }
  /** Deployed code threw an error, ran out of time or memory, or ended its process. */
  | { kind: 'crashed'; reason: string; ranOutOfTime?: true };

/** An answer as it came. */
export type WholeOutcome =
  | { kind: 'answered'; status: number; headers: IncomingHttpHeaders; bytes: Buffer }
  | Unanswered;

/** An answer may have so much. */
const ANSWER_LIMIT_BYTES = 4 * 1024 * 1024;
/** So much is looked at of one that only its status matters of. */
const STATUS_ONLY_BYTES = 16 * 1024;

export interface EndpointCall {
  headers: Record<string, string>;
  /** A JSON text. */
  body: string;
  /** For the whole call. */
  timeoutMs: number;
}

/**
 * Posts a JSON text. Never throws: whatever an endpoint does is an outcome.
 * @param call.statusOnly reads the start of the answer at most; a body that breaks off is no failure
 */
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

/** Posts a JSON text, for an answer that is passed on. Never throws. */
export const askEndpoint = (url: string, call: EndpointCall): Promise<WholeOutcome> =>
  outcomeOf(url, call, async response => ({
    kind: 'answered',
    status: response.statusCode ?? 0,
    headers: response.headers,
    bytes: await readWhole(response),
  }));

async function outcomeOf<Outcome>(
  url: string,
  { headers, body, timeoutMs }: EndpointCall,
  read: (response: IncomingMessage) => Promise<Outcome>,
): Promise<Outcome | Unanswered> {
  using limit = clock.limit(timeoutMs);
  const { signal } = limit;
  try {
    return await read(await post(url, { ...headers, 'content-type': 'application/json' }, body, signal));
  } catch (error) {
    if (signal.aborted) return { kind: 'timedOut' };
    log.info('An endpoint could not be called.', { host: URL.parse(url)?.host, error: errorFields(error) });
    return { kind: 'failed', reason: reasonOf(error) };
  }
}

const REASONS: Record<string, string> = {
  ENOTFOUND: 'its name is unknown',
  EAI_AGAIN: 'its name could not be resolved',
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection was cut off',
  EPIPE: 'the connection was cut off',
  ETIMEDOUT: 'the connection timed out',
  EHOSTUNREACH: 'the host is unreachable',
  ENETUNREACH: 'the network is unreachable',
};

/** Node's and the agent's own messages name addresses, and what certificates stand for. */
export function reasonOf(error: unknown): string {
  if (error instanceof AnswerTooLargeError) return error.message;
  const { code, message } = error as NodeJS.ErrnoException;
  if (/is not allowed\. Because/.test(message)) return 'its address is not public';
  if (code === undefined) return 'the connection failed';
  const reason = /CERT|TLS|SSL/.test(code) ? 'its TLS certificate or handshake is not valid' : REASONS[code];
  return `${reason ?? 'the connection failed'} (${code})`;
}

class AnswerTooLargeError extends Error {
  override readonly name = 'AnswerTooLargeError';
}

/**
 * The agent that refuses what is not public, unless the operator allows it. No keep-alive: a connection that the other
 * side closed while the function was frozen would fail the next call.
 */
export const agentFor = (url: string) => (environment.arePrivateEndpointsAllowed ? false : useAgent(url));

function post(
  url: string,
  headers: Record<string, string>,
  body: string,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const request = url.startsWith('https:') ? httpsRequest : httpRequest;
    const agent = agentFor(url);
    request(url, { method: 'POST', headers: { ...headers, 'content-length': Buffer.byteLength(body) }, agent, signal })
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
    // The status has arrived, which is all that matters.
  }
  return Buffer.concat(chunks);
}

async function readWhole(response: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response) {
    bytes += chunk.length;
    if (bytes > ANSWER_LIMIT_BYTES) {
      response.destroy();
      throw new AnswerTooLargeError('the answer is larger than 4 MB');
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
