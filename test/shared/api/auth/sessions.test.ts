/** Tests the rights of sessions, and the races between sign-in, sign-out and revocation. */
import { beforeAll, describe, expect, it } from 'vitest';
import { clock } from '#shared/core/clock.ts';
import { documents } from '#shared/storage/dynamodb/engine/client.ts';
import { listSessions } from '#shared/storage/dynamodb/workspace/sessions.ts';
import { listTokens, recordUse } from '#shared/storage/dynamodb/workspace/tokens.ts';
import {
  apiBaseUrl,
  CACHED_MS,
  call,
  isLeftOut,
  newBotWithIntegration,
  newSession,
  newWorkspace,
  type TestWorkspace,
  useSharedPlatform,
} from '#test/support/platform.ts';
import { newLink } from '#test/support/tenants.ts';

useSharedPlatform();

let workspace: TestWorkspace;
beforeAll(async () => {
  workspace = await newWorkspace();
});

const newToken = async (limits: object = {}): Promise<{ id: string; value: string }> =>
  (await workspace.call('POST', '/account/pats', { body: { note: 'n', ...limits } })).body.pat;
const soon = () => new Date(clock.now() + 3_600_000).toISOString();
const statusWith = async (token: string) => (await workspace.call('GET', '/account/me', { token })).status;

/** Grants that neither expire nor have scopes. */
async function grantsWith(token: string): Promise<Record<string, number>> {
  const { bot, integration } = await newBotWithIntegration(workspace);
  const send = async (method: string, path: string, body: object) =>
    (await workspace.call(method, path, { token, body })).status;
  const invite = { email: `ada-${bot.id}@example.com`, role: 'developer' };
  const installed = { integrationId: integration.id, enabled: true };
  return {
    members: await send('POST', '/workspace-members', invite),
    origins: await send('PUT', `/bots/${bot.id}`, {
      integrations: { chat: { ...installed, configuration: { allowedOrigins: ['https://example.com'] } } },
    }),
    secrets: await send('PUT', `/bots/${bot.id}`, { secrets: { API_KEY: 'x' } }),
    keys: await send('POST', '/bots/baks', { botId: bot.id, note: 'n' }),
  };
}

describe('a session', () => {
  it.each([
    ['a sign-in link', () => newLink(workspace.owner.accountId)],
    ['a personal access token without limits', async () => workspace.owner.token],
  ])('manages members, origins, secrets and keys after sign-in with %s', async (_, credential) => {
    const { value } = await newSession(await credential());

    expect(await grantsWith(value)).toEqual({ members: 201, origins: 200, secrets: 200, keys: 201 });
  });

  it.each([
    ['with scopes', { scopes: ['admin'] }],
    ['that expires', { expiresAt: soon() }],
  ])('grants nothing unlimited after sign-in with a token %s', async (_, limits) => {
    const { value } = await newSession((await newToken(limits)).value);

    expect(await grantsWith(value)).toEqual({ members: 403, origins: 403, secrets: 403, keys: 403 });
  });

  it('accesses bots as the member', async () => {
    const { bot } = await newBotWithIntegration(workspace);
    const { value: token } = await newSession(workspace.owner.token);

    const answers = await Promise.all(
      ['/chat/conversations', '/files', '/tables'].map(path =>
        call(`${apiBaseUrl()}/v1${path}`, { token, botId: bot.id }),
      ),
    );

    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  });

  it('loses the access of a member who was removed', async () => {
    const member = await workspace.join('developer');
    const { value } = await newSession(member.token);

    await workspace.owner.client.deleteWorkspaceMember({ id: member.memberId });

    const { status } = await workspace.call('POST', '/bots', { token: value, body: {} });
    expect(status).toBe(403);
  });
});

describe('a personal access token', () => {
  it('ends its sessions when it is deleted, and no others', async () => {
    const { id, value } = await newToken();
    const [own, other] = [await newSession(value), await newSession(workspace.owner.token)];

    await workspace.owner.client.deletePersonalAccessToken({ id });
    const refused = await workspace.call('POST', '/bots', { token: own.value, body: {} });

    expect(refused.status).toBe(401);
    expect(await statusWith(other.value)).toBe(200);
    const ids = (await listSessions(workspace.owner.accountId, clock.now())).map(each => each.id);
    expect([ids.includes(own.id), ids.includes(other.id)]).toEqual([false, true]);
  });

  it('is deleted by its own session, which ends', async () => {
    const { id, value } = await newToken();
    const session = await newSession(value);

    const { status } = await workspace.call('DELETE', `/account/pats/${id}`, { token: session.value });

    expect(status).toBe(200);
    expect((await workspace.call('POST', '/bots', { token: session.value, body: {} })).status).toBe(401);
  });
});

describe.skipIf(isLeftOut('faults'))('concurrently', () => {
  /**
   * Runs once before the next write of this kind to an account, by default the owner's. Other work of the platform,
   * which earlier tests left, also writes.
   */
  let meanwhile: { before: string; to?: string; act: () => Promise<unknown> } | undefined;
  const writesTo = (input: unknown, accountId: string) => JSON.stringify(input).includes(accountId);
  documents.middlewareStack.add(
    (next, context) => async args => {
      const pending = meanwhile;
      const isWrite = pending !== undefined && context.commandName === pending.before;
      if (isWrite && writesTo(args.input, pending.to ?? workspace.owner.accountId)) {
        meanwhile = undefined;
        await pending.act();
      }
      return next(args);
    },
    { step: 'initialize', name: 'meanwhileSession' },
  );

  it('creates no session of a token that is deleted before the write', async () => {
    const { id, value } = await newToken();
    meanwhile = {
      before: 'TransactWriteItemsCommand',
      act: () => workspace.owner.client.deletePersonalAccessToken({ id }),
    };

    const answer = await workspace.call('POST', '/account/sessions', { token: value, body: {} });

    expect(answer.status).toBe(401);
    const sessions = await listSessions(workspace.owner.accountId, clock.now());
    expect(sessions.filter(({ session }) => session?.tokenId === id)).toEqual([]);
  });

  it('ends a session that is created before the write that deletes its token', async () => {
    const { id, value } = await newToken();
    let session: { value: string } | undefined;
    meanwhile = {
      before: 'TransactWriteItemsCommand',
      act: async () => {
        session = await newSession(value);
      },
    };

    const { status } = await workspace.call('DELETE', `/account/pats/${id}`);

    expect(status).toBe(200);
    expect(session!.value).toMatch(/^bp_ses_/);
    const { accountId } = workspace.owner;
    expect((await listTokens('ses', accountId)).filter(each => each.session?.tokenId === id)).toEqual([]);
    expect((await workspace.call('POST', '/bots', { token: session!.value, body: {} })).status).toBe(401);
  });

  it('does not recreate a session that is deleted before its use is recorded', async () => {
    const { id, value } = await newSession(workspace.owner.token);
    clock.advance(2 * 3_600_000);
    meanwhile = { before: 'UpdateItemCommand', act: () => workspace.call('DELETE', `/account/sessions/${id}`) };

    await workspace.call('GET', '/account/me', { token: value });

    const stored = await listTokens('ses', workspace.owner.accountId);
    expect(stored.map(each => each.id)).not.toContain(id);
    clock.advance(CACHED_MS);
    expect(await statusWith(value)).toBe(401);
  });

  it('creates one session when a link is used twice', async () => {
    const member = await workspace.join('viewer');
    const link = await newLink(member.accountId);
    meanwhile = { before: 'TransactWriteItemsCommand', to: member.accountId, act: () => newSession(link) };

    const { status } = await workspace.call('POST', '/account/sessions', { token: link, body: {} });

    expect(status).toBe(401);
    expect(await listSessions(member.accountId, clock.now())).toHaveLength(1);
  });

  it('creates no unlimited grant with a session that is deleted before the write', async () => {
    const { id, value } = await newSession(workspace.owner.token);
    const signOut = () => workspace.call('DELETE', `/account/sessions/${id}`);
    meanwhile = { before: 'TransactWriteItemsCommand', act: signOut };
    const email = 'late@example.com';

    const { status } = await workspace.call('POST', '/workspace-members', {
      token: value,
      body: { email, role: 'owner' },
    });

    expect(status).toBe(401);
    const { members } = await workspace.owner.client.listWorkspaceMembers({});
    expect(members.map(each => each.email)).not.toContain(email);
  });
});

describe.skipIf(isLeftOut('faults'))('a recorded use', () => {
  it('is written at most hourly', async () => {
    const { id } = await newSession(workspace.owner.token);
    const { accountId } = workspace.owner;
    const stored = async () => (await listTokens('ses', accountId)).find(each => each.id === id)!;
    const before = await stored();

    await recordUse('ses', accountId, before, before.createdAtMs + 1_800_000);
    const early = await stored();
    await recordUse('ses', accountId, before, before.createdAtMs + 7_200_000);
    const late = await stored();

    expect([early.lastUsedAtMs, late.lastUsedAtMs]).toEqual([before.lastUsedAtMs, before.createdAtMs + 7_200_000]);
  });
});
