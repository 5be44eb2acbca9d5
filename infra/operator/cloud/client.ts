import { createRequire } from 'node:module';
import { setTimeout as sleep } from 'node:timers/promises';

// The package's ES module does not load in Node.
const { Client }: typeof import('@botpress/client') = createRequire(import.meta.url)('@botpress/client');
export type CloudClient = InstanceType<typeof Client>;

export interface CloudAccess {
  apiUrl: string;
  token: string;
  say(line: string): void;
}

const ATTEMPTS = 10;
const FIRST_PAUSE_MS = 500;
const MAX_PAUSE_MS = 60_000;
const TIMEOUT_MS = 60_000;

interface Failure {
  response?: { status: number; headers: Record<string, unknown> };
}

/** Returns the pause before the next attempt, or undefined if a retry would not help. */
export function pauseAfter({ response }: Failure, attempt: number): number | undefined {
  const isPassing = response === undefined || response.status === 429 || response.status >= 500;
  if (!isPassing || attempt > ATTEMPTS) return undefined;
  const backoff = Math.min(FIRST_PAUSE_MS * 2 ** (attempt - 1), MAX_PAUSE_MS) * (0.5 + Math.random() / 2);
  const asked = Number(response?.headers['retry-after'] ?? response?.headers['ratelimit-reset']);
  return asked > 0 && response?.status === 429 ? Math.min(asked * 1_000, MAX_PAUSE_MS) : backoff;
}

export function cloudClient({ apiUrl, token, say }: CloudAccess, scope: { workspaceId: string } | { botId: string }) {
  return new Client({
    apiUrl,
    token,
    ...scope,
    timeout: TIMEOUT_MS,
    retry: {
      retries: ATTEMPTS,
      shouldResetTimeout: true,
      retryCondition: (error: unknown) => pauseAfter(error as Failure, 1) !== undefined,
      retryDelay: (attempt: number, error: unknown) => {
        const pauseMs = pauseAfter(error as Failure, attempt) ?? 0;
        const { response } = error as Failure;
        say(`${response ? `response ${response.status}` : 'no response'}: retrying in ${Math.ceil(pauseMs / 1000)} s`);
        return pauseMs;
      },
    },
  });
}

/** Downloads a file, with the retries of calls. @throws Error when all attempts fail */
export async function download(url: string, say: (line: string) => void): Promise<Uint8Array> {
  for (let attempt = 1; ; attempt++) {
    let failure: Failure = {};
    try {
      const response = await fetch(url, { signal: AbortSignal.timeout(MAX_PAUSE_MS * 10) });
      if (response.ok) return new Uint8Array(await response.arrayBuffer());
      failure = { response: { status: response.status, headers: Object.fromEntries(response.headers) } };
    } catch (error) {
      say(`a download was interrupted: ${(error as Error).message}`);
    }
    const pauseMs = pauseAfter(failure, attempt);
    if (pauseMs === undefined)
      throw new Error(`A file could not be downloaded: ${failure.response?.status ?? 'no response'}.`);
    await sleep(pauseMs);
  }
}

/** Returns the response of a call, or undefined if it is 404. */
export async function ifExists<T>(call: Promise<T>): Promise<T | undefined> {
  try {
    return await call;
  } catch (error) {
    if ((error as { code?: number }).code === 404) return undefined;
    throw error;
  }
}
