/** Tests the operator's commands as processes with only the table's name. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it, vi } from 'vitest';
import { clock } from '#shared/core/clock.ts';
import {
  apiBaseUrl,
  CACHED_MS,
  call,
  eventually,
  newBotWithIntegration,
  newUser,
  newWorkspace,
  usePlatform,
} from '#test/support/platform.ts';

usePlatform();

const run = promisify(execFile);

/** @returns the exit code, and stdout or, on failure, stderr */
async function command(name: 'bootstrap' | 'console' | 'quota', ...args: string[]) {
  const script = join(import.meta.dirname, `../../../infra/operator/${name}.ts`);
  try {
    const { stdout } = await run(process.execPath, [script, ...args], { env: process.env });
    return { code: 0, output: stdout };
  } catch (error) {
    const { code, stderr } = error as { code: number; stderr: string };
    return { code, output: stderr };
  }
}

const field = (output: string, name: string) => output.match(new RegExp(`^${name} +(\\S+)`, 'm'))?.[1];

describe('npm run bootstrap', () => {
  it('creates the first administrator once, with a token that works', async () => {
    const args = ['--email', 'first@example.com', '--workspace', 'Acme'];

    const first = await command('bootstrap', ...args);
    const second = await command('bootstrap', ...args);
    const [token, workspaceId] = [field(first.output, 'token'), field(first.output, 'workspace')];
    const { status, body } = await call(`${apiBaseUrl()}/v1/admin/workspace-members/me`, { token, workspaceId });

    expect(token).toMatch(/^bp_pat_[A-Za-z0-9_-]{36}$/);
    expect({ status, role: body.role, email: body.email }).toEqual({
      status: 200,
      role: 'owner',
      email: 'first@example.com',
    });
    expect(field(second.output, 'workspace')).toBe(workspaceId);
    expect(field(second.output, 'account')).toBe(field(first.output, 'account'));
    expect(second.output).not.toContain('bp_pat_');
  });

  it('creates one workspace and one account when it runs concurrently', async () => {
    const runs = await Promise.all(
      Array.from({ length: 3 }, () => command('bootstrap', '--email', 'many@example.com', '--workspace', 'Acme')),
    );

    expect(runs.map(({ code }) => code)).toEqual([0, 0, 0]);
    expect(new Set(runs.map(({ output }) => field(output, 'workspace'))).size).toBe(1);
    expect(runs.filter(({ output }) => output.includes('bp_pat_'))).toHaveLength(1);
  });

  it('creates another workspace for the same account, and another token on request', async () => {
    const email = ['--email', 'two@example.com'];
    const one = await command('bootstrap', ...email, '--workspace', 'One');
    const two = await command('bootstrap', ...email, '--workspace', 'Two', '--new-token');

    expect(field(two.output, 'account')).toBe(field(one.output, 'account'));
    expect(field(two.output, 'workspace')).not.toBe(field(one.output, 'workspace'));
    const token = field(two.output, 'token');
    const workspaceId = field(one.output, 'workspace');
    const { body } = await call(`${apiBaseUrl()}/v1/admin/workspaces`, { token, workspaceId });
    expect(body.workspaces.map(({ name }: { name: string }) => name).sort()).toEqual(['One', 'Two']);
  });

  it.each([
    ['no email', ['--workspace', 'Acme']],
    ['an invalid email', ['--email', 'nobody', '--workspace', 'Acme']],
    ['an unknown option', ['--mail', 'a@example.com']],
  ])('prints its usage when given %s', async (_, args) => {
    const { code, output } = await command('bootstrap', ...args);

    expect(code).toBe(1);
    expect(output.trim().split('\n')).toHaveLength(1);
  });
});

describe('npm run quota', () => {
  it('sets a quota that applies to the next write, and removes it', async () => {
    const { id, owner } = await newWorkspace();
    const quota = (...args: string[]) => command('quota', '--workspace', id, '--type', 'bot_count', ...args);
    const create = () => owner.client.createBot({});
    const current = async () => (await owner.client.getWorkspaceQuota({ id, type: 'bot_count' })).quota.value;

    await create();
    expect((await quota('--value', '2')).code).toBe(0);
    expect(await current()).toBe(2);
    await create();
    await expect(create()).rejects.toMatchObject({ code: 403, type: 'QuotaExceeded' });
    expect((await quota('--off')).code).toBe(0);

    await create();
    expect(await current()).toBe(Number.MAX_SAFE_INTEGER);
    const { usage } = await owner.client.getUsage({ id, type: 'bot_count' });
    expect(usage.value).toBe(3);
  });

  it('blocks a bot for the month once its message quota is reached, and counts every message', async () => {
    const workspace = await newWorkspace();
    const { chatUrl } = await newBotWithIntegration(workspace);
    const { client } = await newUser({ chatUrl });
    const { conversation } = await client.createConversation({});
    const say = () =>
      client.createMessage({ conversationId: conversation.id, payload: { type: 'text', text: 'Hello' } });
    await command('quota', '--workspace', workspace.id, '--type', 'invocation_calls', '--value', '3');

    const sent = await Promise.all([1, 2, 3].map(say));
    // Functions cache a webhook for half a minute.
    await vi.waitFor(
      async () => {
        clock.advance(CACHED_MS);
        await expect(say()).rejects.toMatchObject({ code: 403, type: 'QuotaExceeded' });
      },
      { timeout: 15_000, interval: 500 },
    );
    const { usages } = await workspace.owner.client.listWorkspaceUsages({ id: workspace.id, type: 'invocation_calls' });

    expect(sent).toHaveLength(3);
    const messages = await client.listMessages({ conversationId: conversation.id });
    await eventually(async () => expect(usages[0]).toMatchObject({ value: messages.messages.length, quota: 3 }));
    await command('quota', '--workspace', workspace.id, '--type', 'invocation_calls', '--off');
    // Succeeds immediately, although functions cached the webhook as exhausted.
    expect((await say()).message.conversationId).toBe(conversation.id);
  });

  it('rejects an unknown workspace, a type without a quota, and an invalid value', async () => {
    const { id } = await newWorkspace();

    const answers = [
      await command('quota', '--workspace', 'wkspace_none', '--type', 'bot_count', '--value', '1'),
      await command('quota', '--workspace', id, '--type', 'openai_spend', '--value', '1'),
      await command('quota', '--workspace', id, '--type', 'bot_count', '--value', '-1'),
    ];

    expect(answers.map(({ code }) => code)).toEqual([1, 1, 1]);
  });
});

describe('npm run console', () => {
  it('prints a link that signs in once within the given hours, with the rights of the administrator', async () => {
    await command('bootstrap', '--email', 'looker@example.com', '--workspace', 'Looks');
    vi.stubEnv('CONSOLE_URL', 'https://console.example.com/');
    const signIn = (token: string | undefined) =>
      call(`${apiBaseUrl()}/v1/admin/account/sessions`, { method: 'POST', token, body: {} });
    const printed = async () => {
      const { code, output } = await command('console', '--email', 'looker@example.com', '--hours', '2');
      expect(code, output).toBe(0);
      return /^https:\/\/console\.example\.com\/#token=(bp_lnk_[\w-]+)$/m.exec(output)?.[1];
    };
    const [link, late] = [await printed(), await printed()];

    const { body: signedIn } = await signIn(link);
    const { value: token } = signedIn.session;
    const { body } = await call(`${apiBaseUrl()}/v1/admin/workspaces`, { token });
    const workspaceId = body.workspaces[0].id;
    const invited = await call(`${apiBaseUrl()}/v1/admin/workspace-members`, {
      ...{ method: 'POST', token, workspaceId },
      body: { email: 'friend@example.com', role: 'administrator' },
    });
    clock.advance(2 * 3_600_000);
    const refused = [await signIn(link), await signIn(late)];

    expect(body.workspaces).toMatchObject([{ name: 'Looks' }]);
    expect(invited.status).toBe(201);
    expect(refused.map(({ status }) => status)).toEqual([401, 401]);
    vi.unstubAllEnvs();
  });

  it.each([
    ['no administrator', ['--email', 'nobody@example.com'], 'nobody@example.com is not an administrator.'],
    [
      'too many hours',
      ['--email', 'looker@example.com', '--hours', '25'],
      '--hours must be more than 0 and at most 24.',
    ],
  ])('reports the error of %s in one line', async (_, args, message) => {
    vi.stubEnv('CONSOLE_URL', 'https://console.example.com/');

    const { code, output } = await command('console', ...args);

    expect(code).toBe(1);
    expect(output).toContain(message);
    vi.unstubAllEnvs();
  });
});
