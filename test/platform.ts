/**
 * A platform to test: one of this process's own (the local gateway, DynamoDB Local, an object store), or the deployed one
 * that PARLEY_TARGET names. Either way the tests speak HTTP, and reach into the table only to install a tenant.
 */
import { randomBytes, randomUUID } from 'node:crypto';
import { createRequire } from 'node:module';
import { afterAll, beforeAll, inject, vi } from 'vitest';
import type { Platform } from '../infra/local/platform.ts';
import { signUserKey } from '../shared/auth/userKey.ts';
import type { Webhook } from '../shared/table/webhooks.ts';
import { BUCKET } from './globalSetup.ts';

// The package's ES module is made for browsers and does not load in Node.
export const chat: typeof import('@botpress/chat') = createRequire(import.meta.url)('@botpress/chat');

const target: { chatBaseUrl: string; apiBaseUrl: string } | undefined =
  process.env.PARLEY_TARGET && JSON.parse(process.env.PARLEY_TARGET);

/** All of the API tests that a rehearsal leaves out, each with its reason. The local platform takes them. */
const NOT_REHEARSED = {
  faults: 'The faults are put into the SDK of this process; a deployed function has a process and an SDK of its own.',
  log: 'The log is read off the console of this process; that of a deployed function goes to CloudWatch.',
} as const;

/** Whether these tests must be skipped, for the reason that {@link NOT_REHEARSED} gives. */
export const isLeftOut = (_: keyof typeof NOT_REHEARSED) => target !== undefined;

/**
 * How many callers come at once where a test sends a crowd. The emulator gives each of them a process of its own, and a
 * hundred processes starting at once is more than a small machine does within the functions' time limits.
 */
export const CROWD = target ? 10 : 100;

/** Does something `times` times, a {@link CROWD} at a time, and gives all that came of it. */
export async function crowds<T>(times: number, work: (index: number) => Promise<T>): Promise<T[]> {
  const results: T[] = [];
  while (results.length < times) {
    const size = Math.min(CROWD, times - results.length);
    results.push(...(await Promise.all(Array.from({ length: size }, (_, i) => work(results.length + i)))));
  }
  return results;
}

let platform: Platform | undefined;

/** Starts the platform for the tests of a file. */
export function usePlatform(): void {
  beforeAll(async () => {
    if (target) return;
    const { startPlatform } = await import('../infra/local/platform.ts');
    platform = await startPlatform({
      port: 0,
      dynamodbEndpoint: inject('dynamodbEndpoint'),
      s3Endpoint: inject('s3Endpoint'),
      tableName: `test-${randomUUID()}`,
      bucketName: BUCKET,
    });
  });
  afterAll(() => platform?.stop());
}

export const chatBaseUrl = () => (target ?? platform!).chatBaseUrl;
export const apiBaseUrl = () => (target ?? platform!).apiBaseUrl;

/** An installation of the chat integration on a bot of its own. */
export interface Installation extends Webhook {
  /** `{chat_base_url}/{webhookUrl}` */
  chatUrl: string;
  /** A key for the user whom the caller's world calls so. */
  keyOf(foreignId: string): string;
}

export async function install(settings: Partial<Webhook> = {}): Promise<Installation> {
  const { putWebhook } = await import('../shared/table/webhooks.ts');
  const { write } = await import('../shared/table/write.ts');
  const webhook: Webhook = {
    webhookId: randomUUID(),
    botId: randomUUID(),
    integrationId: `intver_${randomBytes(13).toString('hex')}`,
    encryptionKey: randomBytes(24).toString('base64url'),
    isPersonalKey: false,
    payloadExtensions: false,
    ...settings,
  };
  await write([putWebhook(webhook)]);
  return {
    ...webhook,
    chatUrl: `${chatBaseUrl()}/${webhook.webhookId}`,
    keyOf: foreignId => signUserKey(webhook, foreignId),
  };
}

/** A user of an installation, with the official client in his hands and raw HTTP where that cannot misbehave. */
export async function newUser({ chatUrl }: Pick<Installation, 'chatUrl'>, fields: { id?: string; name?: string } = {}) {
  const client = new chat.Client({ apiUrl: chatUrl });
  const { user, key } = await client.createUser(fields);
  return { user, key, client: await chat.Client.connect({ apiUrl: chatUrl, userKey: key }) };
}

export interface RawAnswer {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: whatever came, for the test to judge
  body: any;
}

/** One HTTP request, as it is given. A body that is no string or bytes is sent as JSON. */
export async function call(
  url: string,
  {
    method = 'GET',
    key,
    headers = {},
    body,
  }: { method?: string; key?: string; headers?: Record<string, string>; body?: unknown } = {},
): Promise<RawAnswer> {
  const isRaw = body === undefined || typeof body === 'string' || body instanceof Uint8Array;
  const response = await fetch(url, {
    method,
    headers: {
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(key === undefined ? {} : { 'x-user-key': key }),
      ...headers,
    },
    body: (isRaw ? body : JSON.stringify(body)) as string,
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: text.startsWith('{') ? JSON.parse(text) : text };
}

/** Repeats an expectation on what follows from a write a moment later, until it holds. */
export const eventually = <T>(expectation: () => Promise<T>) =>
  vi.waitFor(expectation, { timeout: 15_000, interval: 50 });
