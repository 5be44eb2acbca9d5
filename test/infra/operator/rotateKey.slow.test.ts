/** Tests `npm run rotate:key -- --local` while `npm start` runs. */
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, it, vi } from 'vitest';
import { spawnStart, untilStarted } from '#test/infra/local/startProcess.ts';
import { chat } from '#test/support/platform.ts';

const run = promisify(execFile);
const ROTATE = join(import.meta.dirname, '../../../infra/operator/rotateKey.ts');

const folder = await mkdtemp(join(tmpdir(), 'parley-rotate-'));
const started = spawnStart(folder);
afterAll(async () => {
  if (started.child.exitCode === null) {
    started.child.kill('SIGTERM');
    await once(started.child, 'exit');
  }
  await rm(folder, { recursive: true, force: true });
});

it('replaces the key of a running platform without interrupting users and deployed code', async () => {
  const { deployedChatUrl: apiUrl, encryptionKey } = await untilStarted(started, folder);
  const keyFile = join(folder, 'sealing.key');
  const before = await readFile(keyFile, 'utf8');
  const client = await chat.Client.connect({ apiUrl, encryptionKey, userId: 'grace' });
  const { conversation } = await client.createConversation({});

  const { stdout } = await run(process.execPath, [ROTATE, '--local'], { env: { ...process.env, PARLEY_DIR: folder } });
  const again = await chat.Client.connect({ apiUrl, encryptionKey, userId: 'grace' });
  await again.createMessage({ conversationId: conversation.id, payload: { type: 'text', text: 'hello' } });

  await vi.waitFor(
    async () => expect((await again.listMessages({ conversationId: conversation.id })).messages).toHaveLength(2),
    { timeout: 30_000, interval: 200 },
  );
  const after = await readFile(keyFile, 'utf8');
  expect(after).not.toBe(before);
  expect(stdout).toMatch(/^Pass 1: [1-9]\d* secrets/m);
  expect(stdout).toMatch(/^Pass 2: 0 secrets/m);
  for (const key of [before, after]) expect(stdout).not.toContain(key);
});
