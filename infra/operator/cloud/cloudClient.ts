import type { IncomingMessage } from 'node:http';
import { createRequire } from 'node:module';
import { setTimeout as sleep } from 'node:timers/promises';
import { useAgent } from 'request-filtering-agent';
import { NOT_PUBLIC, reasonOf } from '#shared/outbound/endpoints/callEndpoint.ts';
import { getWithRedirects } from '#shared/outbound/endpoints/getWithRedirects.ts';

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
/** Limit of a file whose size the API does not state. */
const UNSTATED_BYTES = 100_000_000;

interface Failure {
  response?: { status: number; headers: Record<string, unknown> };
}

/** Returns the pause before the next attempt, or undefined if a retry would not help. */
export function pauseAfter({ response }: Failure, attempt: number): number | undefined {
  const isPassing = response === undefined || response.status === 429 || response.status >= 500;
  if (!isPassing || attempt > ATTEMPTS) return undefined;
  const backoff = Math.min(FIRST_PAUSE_MS * 2 ** (attempt - 1), MAX_PAUSE_MS) * (0.5 + Math.random() / 2);
  const requested = Number(response?.headers['retry-after'] ?? response?.headers['ratelimit-reset']);
  return requested > 0 && response?.status === 429 ? Math.min(requested * 1_000, MAX_PAUSE_MS) : backoff;
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

interface Download {
  url: string;
  /** The size that the API states. Undefined if it states none. */
  size: number | undefined;
}

/**
 * Downloads a file, with the retries of calls. The API's response is untrusted: the URL must be https at a public
 * address, unless the API itself is there, and have at most the stated size.
 * @throws Error for another URL or size, and when all attempts fail
 */
export async function download({ url, size }: Download, { apiUrl, say }: CloudAccess): Promise<Uint8Array> {
  const isOwnHost = (address: string) => hostOf(address) === hostOf(apiUrl) || isLoopback(apiUrl);
  for (let attempt = 1; ; attempt++) {
    let failure: Failure = {};
    try {
      const response = await getWithRedirects(url, {
        headers: { 'accept-encoding': 'identity' },
        signal: AbortSignal.timeout(MAX_PAUSE_MS * 10),
        agentFor: address => (isOwnHost(address) ? false : useAgent(address)),
        isAllowed: address => URL.parse(address)?.protocol === 'https:' || isOwnHost(address),
      });
      if ('reason' in response) throw new Refused(response.reason);
      if (response.statusCode === 200) return await contentOf(response, size ?? UNSTATED_BYTES);
      response.destroy();
      failure = { response: { status: response.statusCode!, headers: response.headers } };
    } catch (error) {
      const reason = error instanceof Refused ? error.message : reasonOf(error);
      if (error instanceof Refused || reason === NOT_PUBLIC) throw new Error(`A file was not downloaded: ${reason}.`);
      say(`a download was interrupted: ${reason}`);
    }
    const pauseMs = pauseAfter(failure, attempt);
    if (pauseMs === undefined)
      throw new Error(`A file could not be downloaded: ${failure.response?.status ?? 'no response'}.`);
    await sleep(pauseMs);
  }
}

class Refused extends Error {
  override readonly name = 'Refused';
}

async function contentOf(response: IncomingMessage, maxBytes: number): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response) {
    bytes += chunk.length;
    if (bytes > maxBytes) {
      response.destroy();
      throw new Refused(`it has more than the stated ${maxBytes} bytes`);
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

const hostOf = (url: string) => URL.parse(url)?.host;
const isLoopback = (url: string) => /^(127\.\d+\.\d+\.\d+|localhost|\[::1\])$/.test(URL.parse(url)?.hostname ?? '');

/** Returns the response of a call, or undefined if it is 404. */
export async function ifExists<T>(call: Promise<T>): Promise<T | undefined> {
  try {
    return await call;
  } catch (error) {
    if ((error as { code?: number }).code === 404) return undefined;
    throw error;
  }
}
