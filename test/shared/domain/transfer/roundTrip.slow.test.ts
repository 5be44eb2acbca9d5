/**
 * Exports a workspace with a record of every kind, imports it into another installation, and exports it again there.
 */
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { LocalFile } from '#infra/local/demo.ts';
import { KINDS, kindOf } from '#shared/storage/dynamodb/tenants/itemKinds.ts';
import { toPortable } from '#shared/storage/dynamodb/tenants/portable.ts';
import { isOfWorkspace, listTenants } from '#shared/storage/dynamodb/tenants/tenants.ts';
import { spawnStart, untilStarted } from '#test/infra/local/startProcess.ts';
import { environmentOf, operate } from '#test/support/commands.ts';
import { type FullWorkspace, fullWorkspace, secretOf } from '#test/support/fullWorkspace.ts';
import { Client, call, chat, eventually, settled, usePlatform } from '#test/support/platform.ts';
import { scanItems } from '#test/support/tableItems.ts';

usePlatform();

let directory: string;
let full: FullWorkspace;
let elsewhere: LocalFile & { folder: string; stop(): Promise<void> };

const exportTo = (name: string, folder?: string, ...options: string[]) =>
  operate(
    'export',
    ['--workspace', full.workspace.id, '--to', join(directory, name), ...options, ...(folder ? ['--local'] : [])],
    folder ? environmentOf(folder) : undefined,
  );
const importFrom = (name: string, folder: string, environment = {}) =>
  operate('import', ['--from', join(directory, name), '--local'], { ...environmentOf(folder), ...environment });

/** Returns the files of an export by path, and the manifest without its time. */
async function filesOf(name: string): Promise<Map<string, string>> {
  const root = join(directory, name);
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  const paths = entries.filter(entry => entry.isFile()).map(entry => join(entry.parentPath, entry.name));
  const files = await Promise.all(
    paths.map(async path => [relative(root, path), await readFile(path, 'latin1')] as const),
  );
  return new Map(
    files.map(([path, text]) => [path, text.replace(/"exportedAt": ".*"/, '')]).sort() as [string, string][],
  );
}

const linesOf = async (name: string) =>
  [...(await filesOf(name))]
    .filter(([path]) => path.endsWith('.ndjson'))
    .flatMap(([, text]) => text.trim().split('\n'));

const isLogLine = (line: string) => JSON.parse(line).kind === 'logLine';

const exceptLogs = (files: Map<string, string>) =>
  new Map(
    [...files]
      .filter(([path]) => !path.includes('/logLine.'))
      .map(([path, text]) => [path, text.replace(/"logLine": \d+/, '')]),
  );

async function startElsewhere() {
  const folder = await mkdtemp(join(tmpdir(), 'parley-elsewhere-'));
  // Records name the embedding model.
  const started = spawnStart(folder, { EMBEDDINGS: 'hashing' });
  const local = await untilStarted(started, folder);
  const stop = async () => {
    const ended = new Promise(resolve => started.child.once('exit', resolve));
    started.child.kill('SIGINT');
    await ended;
    await rm(folder, { recursive: true, force: true });
  };
  return { ...local, folder, stop };
}

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'parley-exports-'));
  [elsewhere, full] = await Promise.all([startElsewhere(), fullWorkspace()]);
});
afterAll(async () => {
  await elsewhere?.stop();
  await rm(directory, { recursive: true, force: true });
});

describe('an export', () => {
  it('contains every item of the workspace except excluded kinds', async () => {
    await settled();
    const { code, output } = await exportTo('first');

    expect(code, output).toBe(0);
    const exported = (await linesOf('first')).map(line => JSON.parse(line).item);
    const tenants = (await listTenants(full.workspace.id)).map(({ id }) => id);
    const expected = (await scanItems()).filter(item => {
      const isOwn = tenants.some(id => JSON.stringify([item.pk, item.sk, item.botId, item.workspaceId]).includes(id));
      if (!isOwn) return false;
      const { kind, leftOut } = kindOf(item);
      return leftOut === undefined && toPortable(kind, item) && isOfWorkspace(full.workspace.id, item);
    });
    // The log of a bot that is down grows.
    const keys = (items: Record<string, unknown>[]) =>
      items
        .map(({ pk, sk }) => `${pk} ${sk}`)
        .filter(key => !key.includes('#log#'))
        .sort();
    expect(keys(exported)).toEqual(keys(expected));
  });

  it('contains a record of every kind, so that these tests cover all', async () => {
    const found = new Set((await linesOf('first')).map(line => JSON.parse(line).kind));

    const expected = KINDS.filter(({ leftOut }) => leftOut === undefined).map(({ kind }) => kind);
    expect([...found].sort()).toEqual([...new Set(expected)].sort());
  });

  it('contains no secret in plain text', async () => {
    const texts = [...(await filesOf('first')).values()].join('\n');

    expect(texts).toContain(full.word);
    expect(texts).not.toContain(secretOf(full.word));
    expect(texts).not.toContain('"sealed:');
  });

  it('is rejected for a non-empty directory, and without a passphrase', async () => {
    expect(await exportTo('first')).toMatchObject({ code: 1, output: expect.stringContaining('is not empty') });
    const without = await operate('export', ['--workspace', full.workspace.id, '--to', join(directory, 'none')], {
      ...process.env,
      EXPORT_PASSPHRASE: 'short',
    });
    expect(without).toMatchObject({ code: 1, output: expect.stringContaining('--without-secrets') });
  });
});

describe('an import', () => {
  it('is rejected with another passphrase, or with missing lines or objects, before anything is written', async () => {
    await cp(join(directory, 'first'), join(directory, 'damaged'), { recursive: true });
    const [path] = [...(await filesOf('first')).keys()].filter(name => name.includes('message.'));
    await writeFile(join(directory, 'damaged', path!), '');

    const answers = [
      await importFrom('first', elsewhere.folder, { EXPORT_PASSPHRASE: 'not the passphrase' }),
      await importFrom('damaged', elsewhere.folder),
      await importFrom('none', elsewhere.folder),
    ];

    expect(answers.map(({ code }) => code)).toEqual([1, 1, 1]);
    expect(answers.map(({ output }) => output)).toEqual([
      expect.stringContaining('not the passphrase'),
      expect.stringContaining('lines of message'),
      expect.stringContaining('manifest.json'),
    ]);
    const { status } = await call(`${elsewhere.apiUrl}/v1/admin/bots`, {
      token: full.workspace.owner.token,
      workspaceId: full.workspace.id,
    });
    expect(status).toBe(401);
  });

  it('is rejected with a line of a tenant outside its manifest', async () => {
    await cp(join(directory, 'first'), join(directory, 'planted'), { recursive: true });
    const stranger = 'account#8f14e45f-ceea-467f-9575-0123456789ab';
    const item = { pk: stranger, sk: 'token#0123456789abcdef', id: 'pat_x', hash: 'x' };
    const [path] = [...(await filesOf('first')).keys()].filter(name => name.includes('token.'));
    const file = join(directory, 'planted', path!);
    await writeFile(file, `${JSON.stringify({ kind: 'token', item })}\n${await readFile(file, 'utf8')}`);
    const manifest = join(directory, 'planted', 'manifest.json');
    const text = await readFile(manifest, 'utf8');
    await writeFile(
      manifest,
      text.replace(/"token": (\d+)/, (_, count) => `"token": ${Number(count) + 1}`),
    );
    const third = await startElsewhere();
    try {
      const { code, output } = await importFrom('planted', third.folder);

      expect([code, output]).toEqual([1, expect.stringContaining('not in the manifest')]);
    } finally {
      await third.stop();
    }
  });

  it('produces the same bytes when imported into another installation and exported again', async () => {
    const imported = await importFrom('first', elsewhere.folder);
    expect(imported.code, imported.output).toBe(0);
    const again = await importFrom('first', elsewhere.folder);
    expect(again).toMatchObject({ code: 0, output: expect.stringContaining('Nothing changed') });

    const second = await exportTo('second', elsewhere.folder);

    expect(second.code, second.output).toBe(0);
    expect(exceptLogs(await filesOf('second'))).toEqual(exceptLogs(await filesOf('first')));
    // Deploying the bot's code logs one more line.
    expect(await linesOf('second')).toEqual(expect.arrayContaining((await linesOf('first')).filter(isLogLine)));
  });

  it('creates a workspace with the same tokens, keys and ids, and searchable files and rows', async () => {
    const { workspace, bot, word } = full;
    const owner = new Client({ apiUrl: elsewhere.apiUrl, token: workspace.owner.token, workspaceId: workspace.id });
    const client = new Client({ apiUrl: elsewhere.apiUrl, token: bot.tokens.bot, botId: bot.id });
    const chatUrl = elsewhere.chatUrl.replace(/[^/]+$/, bot.webhookId);

    const user = await chat.Client.connect({ apiUrl: chatUrl, userKey: full.user.key });
    const { messages } = await user.listMessages({ conversationId: full.conversationId });
    const found = await eventually(async () => {
      const { passages } = await client.searchFiles({ query: `kettle ${word}` });
      expect(passages.length).toBeGreaterThan(0);
      return passages;
    });
    const { rows } = await client.findTableRows({ table: `${word.slice(0, 20)}Table`, search: 'Eve' });
    const { bot: seen } = await owner.getBot({ id: bot.id });

    expect(
      messages.some(({ payload }) => JSON.stringify(payload).startsWith(`{"type":"text","text":"${word} 0.`)),
    ).toBe(true);
    expect(found[0]!.file.id).toBe(full.fileId);
    expect(rows[0]).toMatchObject({ name: `Eve ${word}` });
    expect(seen.configuration.data).toEqual({ word, secret: secretOf(word) });
  });

  it('delivers nothing, counts nothing twice, and leaves pending events as failed', async () => {
    const client = new Client({ apiUrl: elsewhere.apiUrl, token: full.bot.tokens.bot, botId: full.bot.id });
    const owner = (apiUrl: string) =>
      new Client({ apiUrl, token: full.workspace.owner.token, workspaceId: full.workspace.id });
    const usage = async (apiUrl: string) => {
      const types = [
        'invocation_calls',
        'storage_count',
        'table_row_count',
        'bot_count',
        'indexed_file_count',
      ] as const;
      const read = types.map(type => owner(apiUrl).getUsage({ id: full.workspace.id, type }));
      return (await Promise.all(read)).map(({ usage }) => usage.value);
    };

    const { events: pending } = await client.listEvents({ status: 'pending' });
    const { events: failed } = await client.listEvents({ status: 'failed' });

    expect(pending).toEqual([]);
    expect(failed.map(({ failureReason }) => failureReason)).toContainEqual(expect.stringContaining('Replay it'));
    const { usage: calls } = await full.workspace.owner.client.getUsage({
      id: full.workspace.id,
      type: 'invocation_calls',
    });
    expect(calls.value).toBeGreaterThan(0);
    expect(await usage(elsewhere.apiUrl)).toEqual(await usage(full.workspace.owner.client.config.apiUrl));
  });

  it('is rejected for a workspace that exists', async () => {
    const here = await operate('import', ['--from', join(directory, 'first')]);

    expect(here).toMatchObject({ code: 1, output: expect.stringContaining('already exists') });
  });
});

describe('an export without secrets', () => {
  it('contains no secrets, and its import creates new keys', async () => {
    const { code, output } = await exportTo('plain', undefined, '--without-secrets');
    const other = await startElsewhere();
    try {
      const imported = await importFrom('plain', other.folder);

      expect([code, imported.code], output + imported.output).toEqual([0, 0]);
      expect((await linesOf('plain')).join('\n')).not.toMatch(/"(sealed|portable):/);
      const chatUrl = other.chatUrl.replace(/[^/]+$/, full.bot.webhookId);
      const { status } = await call(`${chatUrl}/users/me`, { key: full.user.key });
      const client = new Client({ apiUrl: other.apiUrl, token: full.bot.tokens.bot, botId: full.bot.id });
      expect(status).toBe(401);
      expect((await client.listConversations({})).conversations.length).toBeGreaterThan(0);
    } finally {
      await other.stop();
    }
  });
});
