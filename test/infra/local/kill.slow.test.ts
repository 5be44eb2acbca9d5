/** Tests that a process killed during a delivery loses nothing, and the next one resumes. */
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
import { startEndpoint } from '#test/support/endpoint.ts';
import { chat, eventually } from '#test/support/platform.ts';
import { spawnStart, untilStarted } from './startProcess.ts';

let running: ChildProcess | undefined;
let folder: string;
let dynamodb: Service;
let objects: Service;
// Separate services outlive the platform, as on AWS.
beforeAll(async () => {
  Object.assign(process.env, localCredentials());
  folder = await mkdtemp(join(tmpdir(), 'parley-kill-'));
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
    DELIVERY_FIRST_PAUSE_MS: '1',
  });
  running = spawned.child;
  // Pending deliveries resume immediately, so the platform may be killed during startup.
  return untilStarted(spawned, folder);
}

async function kill(): Promise<void> {
  const child = running!;
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}

it('redelivers an event under the same id if the delivery was killed before the acknowledgement', {
  timeout: 120_000,
}, async () => {
  let received = 0;
  let release = () => {};
  const allSent = new Promise<void>(resolve => {
    release = resolve;
  });
  const endpoint = await startEndpoint(async ({ operation }, response) => {
    if (operation !== 'event_received') return void response.end('{}');
    received++;
    // Holds the first delivery until every message is sent, and kills the process during the second and the fifth.
    if (received === 1) await allSent;
    if ([2, 5].includes(received)) await kill();
    response.end('{}');
  });
  const killed = () => eventually(async () => expect(running!.signalCode).toBe('SIGKILL'), 30_000);
  const local = await start();
  await fetch(`${local.apiUrl}/v1/admin/bots/${local.botId}`, {
    method: 'PUT',
    headers: {
      authorization: `Bearer ${local.tokens.owner}`,
      'x-workspace-id': local.workspaceId,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ url: endpoint.url }),
  });
  const client = await chat.Client.connect({ apiUrl: local.chatUrl });
  const { conversation } = await client.createConversation({});
  const sent: string[] = [];
  for (let i = 0; i < 8; i++) {
    const payload = { type: 'text' as const, text: String(i) };
    sent.push((await client.createMessage({ conversationId: conversation.id, payload })).message.id);
  }

  release();
  await killed();
  await start();
  await killed();
  await start();

  await eventually(async () => {
    const delivered = endpoint.events().map(({ messageId }) => messageId);
    expect([...new Set(delivered)]).toEqual(sent);
  }, 30_000);
  // Includes the repeats of both interrupted deliveries.
  expect(endpoint.events()).toHaveLength(sent.length + 2);
  expect(new Set(endpoint.events().map(({ id }) => id)).size).toBe(sent.length);
  endpoint.stop();
});
