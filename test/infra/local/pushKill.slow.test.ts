/** Tests that a process killed while it pushes loses nothing: clients resume at the next process. */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { LocalFile } from '#infra/local/demo.ts';
import { localCredentials } from '#infra/local/localPlatform.ts';
import type { Service } from '#infra/local/runtime/service.ts';
import { localSecret } from '#infra/local/services/access/localSecret.ts';
import { startDynamodb } from '#infra/local/services/dynamodb.ts';
import { startObjectStore } from '#infra/local/services/s3.ts';
import { eventually } from '#test/support/platform.ts';
import { listenResuming } from '#test/support/resumingListener.ts';
import { spawnStart, untilStarted } from './startProcess.ts';

const MESSAGES = 120;
const KILLED_AT = [30, 75];

let running: ChildProcess | undefined;
let folder: string;
let dynamodb: Service;
let objects: Service;
// Separate services outlive the platform, as on AWS.
beforeAll(async () => {
  Object.assign(process.env, localCredentials());
  folder = await mkdtemp(join(tmpdir(), 'parley-push-kill-'));
  [dynamodb, objects] = await Promise.all([startDynamodb(), startObjectStore(join(folder, 'objects'), [])]);
});
afterAll(async () => {
  running?.kill('SIGKILL');
  await Promise.all([dynamodb.stop(), objects.stop()]);
  await rm(folder, { recursive: true, force: true });
});

async function start(): Promise<LocalFile> {
  const spawned = spawnStart(folder, {
    DYNAMODB_ENDPOINT: dynamodb.endpoint,
    S3_ENDPOINT: objects.endpoint,
    LOCAL_SECRET: localSecret(),
  });
  running = spawned.child;
  return untilStarted(spawned, folder);
}

async function kill(): Promise<void> {
  const child = running!;
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}

it('delivers each message once, in order, although the platform is killed while it pushes', {
  timeout: 180_000,
}, async () => {
  let { chatUrl } = await start();
  // biome-ignore lint/suspicious/noExplicitAny: a handful of fields of a handful of answers
  const post = async (path: string, body: object, key?: string): Promise<any> => {
    const headers = { 'content-type': 'application/json', ...(key ? { 'x-user-key': key } : {}) };
    const response = await fetch(`${chatUrl}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    return response.json();
  };
  const { key } = await post('/users', {});
  const conversationId: string = (await post('/conversations', {}, key)).conversation.id;
  const listeners = await Promise.all(
    Array.from({ length: 3 }, () => listenResuming({ chatUrl: () => chatUrl, key }, conversationId)),
  );
  const sent = Array.from({ length: MESSAGES }, (_, i) => String(i));

  for (const [i, text] of sent.entries()) {
    await post('/messages', { conversationId, payload: { type: 'text', text } }, key);
    if (!KILLED_AT.includes(i)) continue;
    await kill();
    ({ chatUrl } = await start());
  }

  await eventually(async () => expect(listeners.map(({ texts }) => texts)).toEqual(listeners.map(() => sent)));
  for (const listener of listeners) listener.stop();
});
