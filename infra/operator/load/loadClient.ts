import { setTimeout as sleep } from 'node:timers/promises';
import type { Measurements } from './measurements.ts';

const TIMEOUT_MS = 30_000;
const ATTEMPTS = 5;
const MAX_PAUSE_MS = 15_000;

interface Call {
  method?: string;
  headers?: Record<string, string>;
  body?: unknown;
}

// biome-ignore lint/suspicious/noExplicitAny: callers read a few fields of many responses
type Answer = any;

/**
 * Calls an operation. Retries 429 after its `Retry-After`, and calls without a response if they have an
 * `Idempotency-Key`. Counts a failure and returns undefined.
 */
export type Caller = (operation: string, url: string, call?: Call) => Promise<Answer | undefined>;

export const callerOf =
  (measurements: Measurements): Caller =>
  async (operation, url, { method = 'GET', headers = {}, body } = {}) => {
    const init = {
      method,
      headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
      ...(body === undefined ? {} : { body: body instanceof Uint8Array ? body : JSON.stringify(body) }),
    } as RequestInit;
    for (let attempt = 1; ; attempt++) {
      const startMs = performance.now();
      const answer = await fetch(url, { ...init, signal: AbortSignal.timeout(TIMEOUT_MS) }).then(
        async response => ({ response, text: await response.text() }),
        error => ({ error: error as Error }),
      );
      const isLast = attempt === ATTEMPTS;
      if ('error' in answer) {
        if (isLast || !('idempotency-key' in headers)) {
          measurements.failed(operation, answer.error.name);
          return undefined;
        }
        continue;
      }
      const { response, text } = answer;
      if (response.status === 429 && !isLast) {
        measurements.repeated++;
        await sleep(Math.min(MAX_PAUSE_MS, 1_000 * Number(response.headers.get('retry-after') ?? 1)));
        continue;
      }
      measurements.took(operation, performance.now() - startMs);
      if (response.ok) return text.startsWith('{') ? JSON.parse(text) : text;
      measurements.failed(operation, String(response.status));
      return undefined;
    }
  };
