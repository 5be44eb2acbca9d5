/**
 * Calling the endpoint of a bot or integration. The address is its owner's, so it is not trusted: redirects are not
 * followed, and unless the operator allows it, nothing private, link-local or of the cloud's own metadata is reached, also
 * not by a name that leads there.
 */
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { useAgent } from 'request-filtering-agent';
import { environment } from '#shared/environment.ts';

/** What came of a call: an answer, or none and why. */
export type CallOutcome =
  | { kind: 'answered'; status: number; text: string }
  | { kind: 'timedOut' }
  /** Refused, unreachable, cut off, too big, or not allowed. */
  | { kind: 'failed'; reason: string };

/** An answer may have so much. */
const ANSWER_LIMIT_BYTES = 4 * 1024 * 1024;
/** So much is looked at of one that only its status matters of. */
const STATUS_ONLY_BYTES = 16 * 1024;

/**
 * Posts a JSON text. Never throws: whatever an endpoint does is an outcome.
 * @param timeoutMs for the whole call
 * @param statusOnly reads the start of the answer at most; a body that breaks off is no failure
 */
export async function callEndpoint(
  url: string,
  {
    headers,
    body,
    timeoutMs,
    statusOnly = false,
  }: { headers: Record<string, string>; body: string; timeoutMs: number; statusOnly?: boolean },
): Promise<CallOutcome> {
  const signal = AbortSignal.timeout(timeoutMs);
  try {
    const response = await post(url, { ...headers, 'content-type': 'application/json' }, body, signal);
    return {
      kind: 'answered',
      status: response.statusCode ?? 0,
      text: await (statusOnly ? readStart(response) : textOf(response)),
    };
  } catch (error) {
    if (signal.aborted) return { kind: 'timedOut' };
    return { kind: 'failed', reason: error instanceof Error ? error.message : String(error) };
  }
}

function post(
  url: string,
  headers: Record<string, string>,
  body: string,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const request = url.startsWith('https:') ? httpsRequest : httpRequest;
    // No keep-alive: a connection that the other side closed while the function was frozen would fail the next call.
    const agent = environment.arePrivateEndpointsAllowed ? false : useAgent(url);
    request(url, { method: 'POST', headers: { ...headers, 'content-length': Buffer.byteLength(body) }, agent, signal })
      .on('response', resolve)
      .on('error', reject)
      .end(body);
  });
}

async function readStart(response: IncomingMessage): Promise<string> {
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
  return Buffer.concat(chunks).toString();
}

async function textOf(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response) {
    bytes += chunk.length;
    if (bytes > ANSWER_LIMIT_BYTES) {
      response.destroy();
      throw new Error('the answer is larger than 4 MB');
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}
