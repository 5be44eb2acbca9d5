/**
 * Tests that a secret of deployed code is only in its environment: searches the table, bucket, logs, responses and the
 * function's files.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { GetObjectCommand, ListObjectsV2Command } from '@aws-sdk/client-s3';
import { afterEach, expect, it, vi } from 'vitest';
import { clock } from '#shared/core/clock.ts';
import { environment } from '#shared/core/environment.ts';
import { callCode } from '#shared/outbound/code/callCode.ts';
import { findBot } from '#shared/storage/dynamodb/bots/bots.ts';
import { s3 } from '#shared/storage/s3/objects.ts';
import { eventually, newBot, settled, usePlatform } from '#test/support/platform.ts';
import { scanItems } from '#test/support/tableItems.ts';

usePlatform();
afterEach(() => vi.restoreAllMocks());

/** Is unique, and unchanged by JSON. */
const SECRET = 'plover-xyzzy-9f8e7d6c5b4a';
const HANDLER = `exports.handler = async ({ body }) => {
  if (body === 'show') return { body: process.env.SECRET_API_KEY };
  if (body === 'throw') throw new Error('no good');
  return {};
};`;
/** Fails its rollout, so that the reason is stored and logged. */
const BROKEN = 'throw new Error("cannot be loaded")';

/** The secret in plain and encoded forms. */
const FORMS = [SECRET, ...[0, 1, 2].map(inBase64), Buffer.from(SECRET).toString('hex')];
/** Returns the base64 characters that depend only on the secret at an offset. */
function inBase64(offset: number) {
  const text = Buffer.from(`${'x'.repeat(offset)}${SECRET}`).toString('base64');
  return text.slice(offset === 0 ? 0 : 4, -4);
}
const formsIn = (text: string) => FORMS.filter(form => text.includes(form));

it('stores no secret in plain text after deployments, calls, failures and reads', { timeout: 90_000 }, async () => {
  const printed: string[] = [];
  for (const stream of [process.stdout, process.stderr]) {
    const print = stream.write.bind(stream) as (...args: unknown[]) => boolean;
    vi.spyOn(stream, 'write').mockImplementation((...args: unknown[]) => {
      printed.push(String(args[0]));
      return print(...args);
    });
  }
  const bot = await newBot();
  const { client } = bot.workspace.owner;
  const owner = { kind: 'bot', id: bot.id } as const;

  await client.updateBot({ id: bot.id, secrets: { apiKey: SECRET }, code: HANDLER });
  const running = await eventually(async () => {
    const { running: now, rollout } = (await findBot(bot.id))!;
    expect(now?.revision).toBe(rollout!.revision);
    return now!;
  });
  const shown = await callCode(owner, running, { headers: {}, body: 'show' });
  await callCode(owner, running, { headers: {}, body: 'throw' });
  await client.updateBot({ id: bot.id, code: BROKEN });
  await eventually(async () => expect((await findBot(bot.id))!.rollout?.failure).toBeDefined());
  const answers = [
    await client.getBot({ id: bot.id }),
    await client.listBots({}),
    await client.getBotLogs({ id: bot.id, timeStart: new Date(clock.now() - 120_000).toISOString() }),
    await client.getAuditRecords({ id: bot.workspace.id }),
  ];
  await settled();

  // The secret exists, and the search would find it.
  expect(shown).toMatchObject({ text: SECRET });
  expect(formsIn(`"${Buffer.from(`ab${SECRET}`).toString('base64')}"`)).not.toEqual([]);
  expect(formsIn(JSON.stringify(answers))).toEqual([]);
  expect(formsIn(printed.join(''))).toEqual([]);
  const items = await scanItems();
  expect(items.length).toBeGreaterThan(10);
  expect(items.filter(item => formsIn(textOf(item)).length > 0)).toEqual([]);
  expect(filesOf(running.functionName).filter(({ text }) => formsIn(text).length > 0)).toEqual([]);
  const objects = await allObjects();
  expect(objects.length).toBeGreaterThan(0);
  expect(objects.filter(({ bytes }) => formsIn(unpacked(bytes)).length > 0).map(({ key }) => key)).toEqual([]);
});

/** Converts bytes to text, so that their content is found. */
const textOf = (item: unknown) =>
  JSON.stringify(item, (_, value) =>
    value instanceof Uint8Array || value?.type === 'Buffer' ? unpacked(Buffer.from(value)) : value,
  );

function unpacked(bytes: Buffer): string {
  try {
    return gunzipSync(bytes).toString('latin1');
  } catch {
    return bytes.toString('latin1');
  }
}

/** Returns the local Lambda's files of a function. */
function filesOf(functionName: string) {
  const roots = readdirSync(tmpdir()).filter(name => name.startsWith('parley-functions-'));
  const directory = roots.map(root => join(tmpdir(), root, functionName)).find(existsSync)!;
  return readdirSync(directory).map(file => ({ file, text: readFileSync(join(directory, file), 'latin1') }));
}

async function allObjects() {
  const { Contents = [] } = await s3.send(new ListObjectsV2Command({ Bucket: environment.bucketName }));
  return Promise.all(
    Contents.map(async ({ Key }) => {
      const { Body } = await s3.send(new GetObjectCommand({ Bucket: environment.bucketName, Key: Key! }));
      return { key: Key!, bytes: Buffer.from(await Body!.transformToByteArray()) };
    }),
  );
}
