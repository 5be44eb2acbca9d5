/** Posts JSON to an HTTP service, with retries while the service is overloaded or unavailable. */
import { setTimeout as sleep } from 'node:timers/promises';
import { ThrottledError } from './throttledError.ts';

const MAX_PAUSE_MS = 20_000;

/** The service rejected the request. The message gives its reason without its address. */
export class RequestRejectedError extends Error {
  override readonly name = 'RequestRejectedError';
}

export interface PostOptions {
  apiKey?: string | undefined;
  attempts?: number | undefined;
  /** The pause after the first failure; it doubles with each further one. */
  firstPauseMs?: number | undefined;
  timeoutMs?: number | undefined;
}

/**
 * @returns the response body
 * @throws ThrottledError when the service is overloaded or unavailable through all attempts
 * @throws RequestRejectedError for any other failure
 */
export async function postJson(url: string, body: object, options: PostOptions): Promise<string> {
  const { attempts = 5, firstPauseMs = 500 } = options;
  for (let attempt = 1; ; attempt++) {
    const outcome = await postOnce(url, body, options);
    if ('text' in outcome) return outcome.text;
    const requestedMs = outcome.pauseMs ?? 0;
    if (attempt >= attempts || requestedMs > MAX_PAUSE_MS) throw new ThrottledError(url, outcome.reason);
    const backoffMs = (0.5 + Math.random() / 2) * firstPauseMs * 2 ** (attempt - 1);
    await sleep(Math.max(requestedMs, Math.min(backoffMs, MAX_PAUSE_MS)));
  }
}

type PostResult = { text: string } | { reason: string; pauseMs?: number | undefined };

async function postOnce(url: string, body: object, { apiKey, timeoutMs = 30_000 }: PostOptions): Promise<PostResult> {
  let response: Response;
  let text: string;
  try {
    response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(apiKey ? { authorization: `Bearer ${apiKey}` } : {}) },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(timeoutMs),
    });
    text = await response.text();
  } catch (error) {
    // The message of fetch is just "fetch failed"; the reason is in its cause.
    const { message, cause } = error as Error;
    return { reason: cause instanceof Error ? `${message}: ${cause.message}` : message };
  }
  if (response.ok) return { text };
  const reason = `status ${response.status}: ${text.slice(0, 200)}`;
  if (response.status !== 429 && response.status < 500) throw new RequestRejectedError(reason);
  return { reason, pauseMs: pauseOf(response.headers.get('retry-after')) };
}

/** @param retryAfter seconds or a date (RFC 9110, 10.2.3) */
function pauseOf(retryAfter: string | null): number | undefined {
  if (!retryAfter) return undefined;
  const pauseMs = /^\d+$/.test(retryAfter) ? Number(retryAfter) * 1000 : Date.parse(retryAfter) - Date.now();
  return Number.isNaN(pauseMs) ? undefined : Math.max(0, pauseMs);
}

/** @returns undefined for invalid JSON */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
