/** Asking an HTTP service that takes and answers JSON, and has patience with it while it is overloaded or away. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Throttled } from './throttled.ts';

const LONGEST_PAUSE_MS = 20_000;

/** The service does not want the request as it is. The message says why, and not where the service is. */
export class RequestRejectedError extends Error {
  override readonly name = 'Refused';
}

export interface Asking {
  apiKey?: string | undefined;
  attempts?: number | undefined;
  /** The pause after the first failure; it doubles. */
  firstPauseMs?: number | undefined;
  timeoutMs?: number | undefined;
}

/**
 * The text of the answer, if need be after several attempts.
 * @throws Throttled while the service is overloaded or away, Refused when it does not want this
 */
export async function postJson(url: string, body: object, options: Asking): Promise<string> {
  const { attempts = 5, firstPauseMs = 500 } = options;
  for (let attempt = 1; ; attempt++) {
    const outcome = await postOnce(url, body, options);
    if ('text' in outcome) return outcome.text;
    const askedMs = outcome.pauseMs ?? 0;
    if (attempt >= attempts || askedMs > LONGEST_PAUSE_MS) throw new Throttled(url, outcome.reason);
    const ownMs = (0.5 + Math.random() / 2) * firstPauseMs * 2 ** (attempt - 1);
    await sleep(Math.max(askedMs, Math.min(ownMs, LONGEST_PAUSE_MS)));
  }
}

type PostResult = { text: string } | { reason: string; pauseMs?: number | undefined };

async function postOnce(url: string, body: object, { apiKey, timeoutMs = 30_000 }: Asking): Promise<PostResult> {
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
    // Fetch says "fetch failed", and why only in the cause.
    const { message, cause } = error as Error;
    return { reason: cause instanceof Error ? `${message}: ${cause.message}` : message };
  }
  if (response.ok) return { text };
  const reason = `status ${response.status}: ${text.slice(0, 200)}`;
  if (response.status !== 429 && response.status < 500) throw new RequestRejectedError(reason);
  return { reason, pauseMs: pauseOf(response.headers.get('retry-after')) };
}

/** Seconds, or a date (RFC 9110, 10.2.3). */
function pauseOf(retryAfter: string | null): number | undefined {
  if (!retryAfter) return undefined;
  const pauseMs = /^\d+$/.test(retryAfter) ? Number(retryAfter) * 1000 : Date.parse(retryAfter) - Date.now();
  return Number.isNaN(pauseMs) ? undefined : Math.max(0, pauseMs);
}

/** Undefined for what is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
