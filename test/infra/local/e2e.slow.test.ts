/** Runs the end-to-end tests of the npm package `@botpress/chat`, unmodified, against `npm start` and its demo bot. */
import { type ChildProcess, execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import type { LocalFile } from '#infra/local/demo.ts';
import { localSecret } from '#infra/local/services/access/localSecret.ts';
import { chat, eventually } from '#test/support/platform.ts';
import { spawnStart, untilStarted } from './startProcess.ts';

const ROOT = join(import.meta.dirname, '../../..');
const VITEST = join(ROOT, 'node_modules/vitest/vitest.mjs');
const CONFIG = join(ROOT, 'test/e2e/vitest.config.ts');

let folder: string;
let running: ChildProcess;
let local: LocalFile;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-e2e-'));
  const spawned = spawnStart(folder, {
    DYNAMODB: inject('dynamodbEndpoint'),
    S3_ENDPOINT: inject('s3Endpoint'),
    LOCAL_SECRET: localSecret(),
    // One test expects its own message next, so the demo bot must not reply to an earlier one in between.
    DEMO_BOT_PAUSE_MS: '300',
  });
  running = spawned.child;
  local = await untilStarted(spawned, folder);
});

afterAll(async () => {
  const ended = once(running, 'exit');
  running.kill('SIGINT');
  await ended;
  await rm(folder, { recursive: true, force: true });
});

interface Report {
  numPassedTests: number;
  testResults: { assertionResults: { title: string; status: string }[] }[];
}

/** @returns titles of failing tests, and the number of passing ones */
async function run(apiUrl: string): Promise<{ failed: string[]; passed: number }> {
  const file = join(folder, 'report.json');
  const args = [VITEST, 'run', '--config', CONFIG, '--reporter=json', `--outputFile=${file}`];
  const env = { PATH: process.env.PATH, API_URL: apiUrl, ENCRYPTION_KEY: local.encryptionKey };
  await new Promise(resolve => execFile(process.execPath, args, { env, cwd: ROOT }, resolve));
  const report: Report = JSON.parse(await readFile(file, 'utf8'));
  const tests = report.testResults.flatMap(({ assertionResults }) => assertionResults);
  return {
    failed: tests.filter(({ status }) => status !== 'passed').map(({ title }) => title),
    passed: report.numPassedTests,
  };
}

it('passes all tests of the official client with an integration that accepts payload extensions', {
  timeout: 120_000,
}, async () => {
  expect(await run(local.extendedChatUrl)).toEqual({ failed: [], passed: 23 });
});

it('fails only the two tests that send payload extensions if the integration rejects them', {
  timeout: 120_000,
}, async () => {
  const { failed, passed } = await run(local.chatUrl);

  expect(failed).toEqual([
    'api allows sending and receiving messages with metadata',
    'api allows sending bloc messages',
  ]);
  expect(passed).toBe(21);
});

it('returns the first message from the demo bot', async () => {
  const client = await chat.Client.connect({ apiUrl: local.chatUrl });
  const { conversation } = await client.createConversation({});

  await client.createMessage({ conversationId: conversation.id, payload: { type: 'text', text: 'Hello' } });

  await eventually(async () => {
    const { messages } = await client.listMessages({ conversationId: conversation.id });
    expect(messages.map(({ userId, payload }) => [userId, payload])).toEqual([
      [local.botId, { type: 'text', text: 'Hello' }],
      [client.user.id, { type: 'text', text: 'Hello' }],
    ]);
  });
});
