/** A process that is killed in the middle of a delivery loses nothing: the next one goes on where it was. */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, inject, it } from 'vitest';
import type { LocalFile } from '../../infra/local/demo.ts';
import { startEndpoint } from '../endpoint.ts';
import { chat, eventually } from '../platform.ts';
import { spawnStart, untilStarted } from './startProcess.ts';

let running: ChildProcess | undefined;
let folder: string;
afterAll(async () => {
  running?.kill('SIGKILL');
  await rm(folder, { recursive: true, force: true });
});

/** Starts the platform on services that outlive it, as DynamoDB and S3 do. */
async function start(): Promise<LocalFile> {
  const spawned = spawnStart(folder, {
    DYNAMODB_ENDPOINT: inject('dynamodbEndpoint'),
    S3_ENDPOINT: inject('s3Endpoint'),
    DELIVERY_FIRST_PAUSE_MS: '1',
  });
  running = spawned.child;
  // What waits is gone on with at once: it may be killed before it says that it runs.
  return untilStarted(spawned, folder);
}

async function kill(): Promise<void> {
  const child = running!;
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}

it('a delivery process that is killed between send and acknowledge', { timeout: 120_000 }, async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-kill-'));
  let received = 0;
  let release = () => {};
  const allIsSaid = new Promise<void>(resolve => {
    release = resolve;
  });
  const endpoint = await startEndpoint(async ({ operation }, response) => {
    if (operation !== 'event_received') return void response.end('{}');
    received++;
    // The first is held until everything is said; over the second and the fifth it is killed.
    if (received === 1) await allIsSaid;
    if ([2, 5].includes(received)) await kill();
    response.end('{}');
  });
  const isDead = () => eventually(async () => expect(running!.signalCode).toBe('SIGKILL'), 30_000);
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
  const said: string[] = [];
  for (let i = 0; i < 8; i++) {
    const payload = { type: 'text' as const, text: String(i) };
    said.push((await client.createMessage({ conversationId: conversation.id, payload })).message.id);
  }

  release();
  await isDead();
  await start();
  await isDead();
  await start();

  await eventually(async () => {
    const heard = endpoint.events().map(({ messageId }) => messageId);
    expect([...new Set(heard)]).toEqual(said);
  }, 30_000);
  // What it was killed over came again, under the same id.
  expect(endpoint.events()).toHaveLength(said.length + 2);
  expect(new Set(endpoint.events().map(({ id }) => id)).size).toBe(said.length);
  endpoint.stop();
});
