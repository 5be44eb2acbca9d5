/** Botpress Cloud by its public API: patient with limits and faults, and never in more than a few calls at a time. */
import { createRequire } from 'node:module';
import { setTimeout as sleep } from 'node:timers/promises';

// The package's ES module does not load in Node.
const { Client }: typeof import('@botpress/client') = createRequire(import.meta.url)('@botpress/client');
export type CloudClient = InstanceType<typeof Client>;

export interface CloudAccess {
  apiUrl: string;
  token: string;
  /** Tells of a pause. */
  say(line: string): void;
}

const ATTEMPTS = 10;
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 60_000;
const TIMEOUT_MS = 60_000;

interface Failure {
  response?: { status: number; headers: Record<string, unknown> };
}

/** The pause that an answer asks for; undefined for an answer that another attempt would not change. */
export function pauseAfter({ response }: Failure, attempt: number): number | undefined {
  const isPassing = response === undefined || response.status === 429 || response.status >= 500;
  if (!isPassing || attempt > ATTEMPTS) return undefined;
  const backoff = Math.min(FIRST_PAUSE_MS * 2 ** (attempt - 1), LONGEST_PAUSE_MS) * (0.5 + Math.random() / 2);
  const asked = Number(response?.headers['retry-after'] ?? response?.headers['ratelimit-reset']);
  return asked > 0 && response?.status === 429 ? Math.min(asked * 1_000, LONGEST_PAUSE_MS) : backoff;
}

/** @param scope the workspace, or the bot, that calls are about */
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
        say(
          `${response ? `answered ${response.status}` : 'the connection was cut'}: again in ${Math.ceil(pauseMs / 1000)} s`,
        );
        return pauseMs;
      },
    } as never,
  });
}

/** The bytes of a file. @throws Error after as many attempts as calls have */
export async function download(url: string, say: (line: string) => void): Promise<Uint8Array> {
  for (let attempt = 1; ; attempt++) {
    let failure: Failure = {};
    try {
      const response = await fetch(url, { signal: AbortSignal.timeout(LONGEST_PAUSE_MS * 10) });
      if (response.ok) return new Uint8Array(await response.arrayBuffer());
      failure = { response: { status: response.status, headers: Object.fromEntries(response.headers) } };
    } catch (error) {
      say(`a download was cut: ${(error as Error).message}`);
    }
    const pauseMs = pauseAfter(failure, attempt);
    if (pauseMs === undefined) throw new Error(`A file could not be downloaded: ${failure.response?.status ?? 'cut'}.`);
    await sleep(pauseMs);
  }
}

/** The records of a missing thing: undefined where the platform answers that there is none. */
export async function ifThere<T>(call: Promise<T>): Promise<T | undefined> {
  try {
    return await call;
  } catch (error) {
    if ((error as { code?: number }).code === 404) return undefined;
    throw error;
  }
}
