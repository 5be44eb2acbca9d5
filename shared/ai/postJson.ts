import { clock } from '#shared/core/clock.ts';
import { startOf } from '#shared/core/excerpt.ts';
import { ThrottledError } from './throttledError.ts';

const MAX_PAUSE_MS = 20_000;

/** Rejection by the service. The message contains the reason, without the service's address. */
export class RequestRejectedError extends Error {
  override readonly name = 'RequestRejectedError';
  /** HTTP status of the rejection; undefined if the response was invalid. */
  readonly status: number | undefined;

  constructor(message: string, status?: number) {
    super(message);
    this.status = status;
  }
}

export interface PostOptions {
  apiKey?: string | undefined;
  attempts?: number | undefined;
  /** Pause after the first failure. It doubles with each further one. */
  firstPauseMs?: number | undefined;
  timeoutMs?: number | undefined;
  /** Attempts cost money: one that may have reached the service is not repeated. */
  isPaid?: boolean | undefined;
  /** Aborts all attempts and the reading of the response. */
  signal?: AbortSignal | undefined;
}

/**
 * @returns the response body
 * @throws ThrottledError if the service is overloaded or unavailable in all attempts; see `isPaid`
 * @throws RequestRejectedError for any other failure
 * @throws the signal's reason once it is aborted
 */
export const postJson = (url: string, body: object, options: PostOptions): Promise<string> =>
  post(url, body, options, response => response.text());

/** Streams the response. Does not retry once it has started. Throws the errors of {@link postJson}. */
export const postForStream = (url: string, body: object, options: PostOptions): Promise<ReadableStream<string>> =>
  post(url, body, options, async response => response.body!.pipeThrough(new TextDecoderStream()));

async function post<T>(
  url: string,
  body: object,
  options: PostOptions,
  read: (response: Response) => Promise<T>,
): Promise<T> {
  const { attempts = 5, firstPauseMs = 500, signal } = options;
  for (let attempt = 1; ; attempt++) {
    const outcome = await postOnce(url, body, options, read);
    if ('value' in outcome) return outcome.value;
    signal?.throwIfAborted();
    if (options.isPaid && outcome.wasSent) throw new ThrottledError(url, outcome.reason, { mayBeBilled: true });
    const requestedMs = outcome.pauseMs ?? 0;
    if (attempt >= attempts || requestedMs > MAX_PAUSE_MS) throw new ThrottledError(url, outcome.reason);
    const backoffMs = (0.5 + Math.random() / 2) * firstPauseMs * 2 ** (attempt - 1);
    await clock.sleep(Math.max(requestedMs, Math.min(backoffMs, MAX_PAUSE_MS)), signal);
  }
}

interface Failure {
  reason: string;
  pauseMs?: number | undefined;
  /** The request may have been sent although no status was received. */
  wasSent?: boolean;
}
type PostResult<T> = { value: T } | Failure;

/** Error codes of `fetch` that occur before the request is sent. */
const NOT_SENT = new Set([
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'UND_ERR_CONNECT_TIMEOUT',
]);

async function postOnce<T>(
  url: string,
  body: object,
  { apiKey, timeoutMs = 30_000, signal }: PostOptions,
  read: (response: Response) => Promise<T>,
): Promise<PostResult<T>> {
  using limit = clock.limit(timeoutMs);
  let response: Response;
  try {
    response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(apiKey ? { authorization: `Bearer ${apiKey}` } : {}) },
      body: JSON.stringify(body),
      signal: signal ? AbortSignal.any([signal, limit.signal]) : limit.signal,
    });
    if (response.ok) return { value: await read(response) };
    const reason = `status ${response.status}: ${startOf(await response.text(), 200)}`;
    if (response.status !== 429 && response.status < 500) throw new RequestRejectedError(reason, response.status);
    return { reason, pauseMs: pauseOf(response.headers.get('retry-after')) };
  } catch (error) {
    if (error instanceof RequestRejectedError) throw error;
    // The error's message is just "fetch failed".
    const { message, cause } = error as Error;
    const reason = cause instanceof Error ? `${message}: ${cause.message}` : message;
    return { reason, wasSent: !NOT_SENT.has(String((cause as NodeJS.ErrnoException | undefined)?.code)) };
  }
}

/** @param retryAfter seconds or a date (RFC 9110, 10.2.3) */
function pauseOf(retryAfter: string | null): number | undefined {
  if (!retryAfter) return undefined;
  const pauseMs = /^\d+$/.test(retryAfter) ? Number(retryAfter) * 1000 : Date.parse(retryAfter) - clock.now();
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
