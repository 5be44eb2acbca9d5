/**
 * Tests `npm run import:cloud` against another Parley behind a proxy that throttles, disconnects and fails. Imports the
 * result into a third and compares it through the API.
 */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { request as forward } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pauseAfter } from '#infra/operator/cloud/cloudClient.ts';
import { spawnStart, untilStarted } from '#test/infra/local/startProcess.ts';
import { environmentOf, operate } from '#test/support/commands.ts';
import { upload } from '#test/support/files.ts';
import { type Server, serve } from '#test/support/integration.ts';
import {
  type AdminClient,
  apiBaseUrl,
  Client,
  eventually,
  newBot,
  settled,
  type TestBot,
  usePlatform,
} from '#test/support/platform.ts';

usePlatform();

const MESSAGES = 45;
const CONVERSATIONS = 24;

let directory: string;
let bot: TestBot;
let proxy: Server & { paths: string[]; limited: number; cut: number; isDown: boolean };

/** Each costs a pause of a second. */
const LIMITED = 8;

/** Throttles every ninth call, cuts every thirteenth, and rejects all while down. */
async function startProxy() {
  const state = { paths: [] as string[], limited: 0, cut: 0, isDown: false };
  let count = 0;
  const server = await serve((incoming, response) => {
    const { url = '/', method, headers } = incoming;
    count++;
    if (state.isDown) return void response.writeHead(403).end('{}');
    if (count % 9 === 0 && state.limited < LIMITED) {
      state.limited++;
      const body = { id: 'err_1', code: 429, type: 'RateLimited', message: 'Slow down.' };
      return void response.writeHead(429, { 'retry-after': '1' }).end(JSON.stringify(body));
    }
    state.paths.push(`${method} ${url}`);
    const target = new URL(url, apiBaseUrl());
    const outgoing = forward(target, { method, headers: { ...headers, host: target.host } }, answer => {
      response.writeHead(answer.statusCode!, answer.headers);
      if (count % 13 !== 0) return void answer.pipe(response);
      state.cut++;
      answer.once('data', chunk => {
        response.write(chunk.subarray(0, 10));
        response.destroy();
      });
    });
    incoming.pipe(outgoing);
  });
  return Object.assign(state, server);
}

async function fillBot({ client, workspace, id }: TestBot) {
  const states = {
    profile: { type: 'user' as const, schema: {} },
    mood: { type: 'conversation' as const, schema: {} },
  };
  const { client: owner } = workspace.owner;
  await owner.updateBot({ id, name: 'Kettle', states, configuration: { data: { greeting: 'Hi' } }, tags: { a: 'b' } });
  const { user } = await client.createUser({ tags: { email: 'ada@example.com' }, name: 'Ada' });
  await client.setState({ type: 'user', id: user.id, name: 'profile', payload: { likes: 'tea' } });
  for (let i = 0; i < CONVERSATIONS; i++) {
    const { conversation } = await client.createConversation({ channel: 'channel', tags: { number: String(i) } });
    await client.addParticipant({ id: conversation.id, userId: user.id });
    const messages = Array.from({ length: i === 0 ? MESSAGES : 1 }, (_, n) => ({
      conversationId: conversation.id,
      userId: n % 2 === 0 ? user.id : id,
      type: 'text',
      payload: { text: `${i}.${n}` },
      tags: {},
      discriminateByTags: [],
      // Creates two rows per millisecond.
      createdAt: new Date(Date.UTC(2024, 0, 1) + Math.floor(n / 2)).toISOString(),
    }));
    await client.importMessages({ messages });
    if (i === 0)
      await client.setState({ type: 'conversation', id: conversation.id, name: 'mood', payload: { is: 'good' } });
  }
  const text = { type: 'string' as const, 'x-zui': { searchable: true } };
  const schema = { type: 'object' as const, properties: { name: text, age: { type: 'number' as const } } };
  await client.createTable({ name: 'peopleTable', keyColumn: 'name', schema });
  const rows = Array.from({ length: 30 }, (_, i) => ({ name: `Person ${i}`, age: i }));
  await client.createTableRows({ table: 'peopleTable', rows });
  await upload(client, {
    key: 'kettle.txt',
    content: 'The kettle boils at dawn. '.repeat(20),
    index: true,
    tags: { a: 'b' },
  });
  await settled();
}

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'parley-cloud-'));
  bot = await newBot();
  await fillBot(bot);
  proxy = await startProxy();
  await writeFile(join(directory, 'token'), `${bot.workspace.owner.token}\n`);
});
afterAll(async () => {
  proxy?.stop();
  await rm(directory, { recursive: true, force: true });
});

const read = (...options: string[]) =>
  operate(
    'importCloud',
    [
      '--token-file',
      join(directory, 'token'),
      '--workspace',
      bot.workspace.id,
      '--to',
      join(directory, 'export'),
      '--api',
      proxy.url,
      ...options,
    ],
    environmentOf(directory),
  );

/** Reads data of a bot from the API, without ids and derived fields. */
async function seen(client: AdminClient) {
  const conversations = await client.list.conversations({ sortField: 'createdAt' }).collect();
  const users = await client.list.users({}).collect();
  const said = await Promise.all(
    conversations.map(async ({ id, tags, createdAt, channel }) => ({
      tags,
      createdAt,
      channel,
      participants: (await client.list.participants({ id }).collect()).map(({ name }) => name),
      messages: (await client.list.messages({ conversationId: id }).collect())
        .map(({ payload, createdAt, type, direction }) => JSON.stringify([createdAt, payload, type, direction]))
        .sort(),
    })),
  );
  const { rows } = await client.findTableRows({ table: 'peopleTable', limit: 100 });
  const { files } = await client.listFiles({});
  const { state } = await client.getState({
    type: 'user',
    id: users.find(({ name }) => name === 'Ada')!.id,
    name: 'profile',
  });
  return {
    said,
    users: users.map(({ tags, name, createdAt }) => ({ tags, name, createdAt })),
    rows: rows.map(({ id, name, age }) => ({ id, name, age })),
    files: await Promise.all(
      files.map(async ({ key, tags, size, url }) => ({ key, tags, size, text: await (await fetch(url)).text() })),
    ),
    state: state.payload,
  };
}

describe('npm run import:cloud', () => {
  it('resumes, retries throttled and interrupted requests, and produces a usable import', async () => {
    const limit = setInterval(() => {
      proxy.isDown = proxy.paths.some(path => path.includes('/v1/tables'));
    }, 1);
    const broken = await read();
    clearInterval(limit);
    proxy.isDown = false;
    const before = proxy.paths.length;
    const again = await read();

    expect(broken.code).toBe(1);
    expect(again.code, again.output).toBe(0);
    expect(proxy.paths.slice(before).filter(path => /listMessages|\/messages|\/users/.test(path))).toEqual([]);
    expect([proxy.limited > 2, proxy.cut > 2]).toEqual([true, true]);
    expect(again.output).toContain('install chat again');

    const folder = await mkdtemp(join(tmpdir(), 'parley-third-'));
    const started = spawnStart(folder);
    try {
      const local = await untilStarted(started, folder);
      const imported = await operate('import', ['--from', join(directory, 'export'), '--local'], environmentOf(folder));
      expect(imported.code, imported.output).toBe(0);
      const token = again.output.match(/^token +(\S+)/m)![1]!;
      const workspaceId = again.output.match(/^workspace +(\S+)/m)![1]!;
      const owner = new Client({ apiUrl: local.apiUrl, token, workspaceId });
      const client = new Client({ apiUrl: local.apiUrl, token, botId: bot.id });
      await eventually(async () => {
        expect((await client.searchFiles({ query: 'kettle' })).passages.length).toBeGreaterThan(0);
        const { rows } = await client.findTableRows({ table: 'peopleTable', search: 'Person 7', limit: 1 });
        expect(rows[0]?.name).toBe('Person 7');
      });

      expect(await seen(client)).toEqual(
        await seen(bot.workspace.owner.client.config ? bot.clientOf(bot.workspace.owner.token) : bot.client),
      );
      const { bot: found } = await owner.getBot({ id: bot.id });
      expect(found).toMatchObject({ name: 'Kettle', tags: { a: 'b' }, configuration: { data: { greeting: 'Hi' } } });
      const { usage } = await owner.getUsage({ id: workspaceId, type: 'table_row_count' });
      expect(usage.value).toBe(30);
      // Names are still unique.
      const { rows, errors } = await client.createTableRows({ table: 'peopleTable', rows: [{ name: 'Person 7' }] });
      expect([rows, errors?.length]).toEqual([[], 1]);
    } finally {
      const ended = new Promise(resolve => started.child.once('exit', resolve));
      started.child.kill('SIGINT');
      await ended;
      await rm(folder, { recursive: true, force: true });
    }
  });

  it('maps each foreign id once, in a file', async () => {
    const lines = (await readFile(join(directory, 'export', 'mapping.ndjson'), 'utf8')).trim().split('\n');
    const mapping = lines.map(line => JSON.parse(line));

    const kinds = mapping.map(({ kind }) => kind);
    expect(kinds.filter(kind => kind === 'message')).toHaveLength(MESSAGES + CONVERSATIONS - 1);
    expect(kinds.filter(kind => kind === 'conversation')).toHaveLength(CONVERSATIONS);
    expect(new Set(mapping.map(({ to }) => to)).size).toBe(mapping.length);
  });

  it('reports a missing token, an unknown bot and a missing passphrase', async () => {
    const answers = [
      await read('--token-file', join(directory, 'absent')),
      await operate('importCloud', [], environmentOf(directory)),
      await operate('importCloud', ['--token-file', 'x', '--workspace', 'w', '--to', 'd'], {
        ...environmentOf(directory),
        EXPORT_PASSPHRASE: '',
      }),
    ];

    expect(answers.map(({ code }) => code)).toEqual([1, 1, 1]);
    expect(answers.map(({ output }) => output.trim().split('\n').length)).toEqual([1, 1, 1]);
  });
});

describe('the pause before another attempt', () => {
  it('follows Retry-After, grows after failures, and is undefined for rejections', () => {
    const limit = { response: { status: 429, headers: { 'retry-after': '7' } } };

    expect(pauseAfter(limit, 1)).toBe(7_000);
    expect(pauseAfter({}, 4)).toBeGreaterThan(pauseAfter({}, 1)!);
    expect(pauseAfter({ response: { status: 403, headers: {} } }, 1)).toBeUndefined();
    expect(pauseAfter(limit, 11)).toBeUndefined();
  });
});
