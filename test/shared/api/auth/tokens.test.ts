/** Tokens and the headers around them: what is refused, when what is revoked ends, and that none is in a log. */
import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  apiBaseUrl,
  call,
  isLeftOut,
  newBotWithIntegration,
  newWorkspace,
  usePlatform,
} from '#test/support/platform.ts';

usePlatform();
afterEach(() => {
  vi.useRealTimers();
});

/** Longer than anything is remembered, and within the minute that is promised. */
const REMEMBERED_MS = 31_000;
const laterBy = (ms: number) => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + ms });
};

const bots = (token: string | undefined, workspaceId: string | undefined, headers: Record<string, string> = {}) =>
  call(`${apiBaseUrl()}/v1/admin/bots`, { token, workspaceId, headers });

describe('Authorization', () => {
  it.each([
    ['missing', {}],
    ['without a scheme', { authorization: 'bp_pat_x' }],
    ['of another scheme', { authorization: 'Basic dXNlcjpwYXNz' }],
    ['empty', { authorization: 'Bearer ' }],
    ['of another shape', { authorization: 'Bearer bp_pat_short' }],
    ['of the right shape', { authorization: `Bearer bp_pat_${'A'.repeat(36)}` }],
    ['a key of no bot', { authorization: `Bearer bp_bak_${'A'.repeat(36)}` }],
    ['a key of no integration', { authorization: `Bearer bp_iak_${'A'.repeat(36)}` }],
  ])('%s is a 401', async (_, headers) => {
    const { id } = await newWorkspace();

    const { status, body } = await bots(undefined, id, headers);

    expect({ status, type: body.type }).toEqual({ status: 401, type: 'Unauthorized' });
  });

  it('with any one character of a token changed is a 401', async () => {
    const { id, owner } = await newWorkspace();
    const { token } = owner;
    const forged = Array.from(token, (c, i) => token.slice(0, i) + (c === 'A' ? 'B' : 'A') + token.slice(i + 1));

    // The last character before the secret carries two bits that name nobody else.
    const answers = await Promise.all(forged.map(each => bots(each, id)));

    expect(answers.map(({ status }) => status).filter(status => status !== 401)).toEqual([]);
  });

  it('may write the scheme as it likes', async () => {
    const { id, owner } = await newWorkspace();

    expect((await bots(undefined, id, { authorization: `bearer   ${owner.token}` })).status).toBe(200);
  });
});

describe('x-workspace-id', () => {
  it.each([
    ['missing', undefined],
    ['empty', ''],
    ['unknown', 'wkspace_0000000000000000000000'],
    ['nonsense', '../../etc'],
  ])('%s is a 401', async (_, workspaceId) => {
    const { owner } = await newWorkspace();

    const { status, body } = await bots(owner.token, workspaceId);

    expect({ status, type: body.type }).toEqual({ status: 401, type: 'Unauthorized' });
  });

  it('of a workspace that one is not a member of is a 403', async () => {
    const [mine, foreign] = await Promise.all([newWorkspace(), newWorkspace()]);

    const { status, body } = await bots(mine.owner.token, foreign.id);

    expect({ status, type: body.type }).toEqual({ status: 403, type: 'Forbidden' });
  });
});

describe.skipIf(isLeftOut('clock'))('what is revoked', () => {
  it('ends within a minute: a token', async () => {
    const { id, owner } = await newWorkspace();
    const { pat } = await owner.client.createPersonalAccessToken({ note: 'n' });
    expect((await bots(pat.value, id)).status).toBe(200);

    await owner.client.deletePersonalAccessToken({ id: pat.id });
    laterBy(REMEMBERED_MS);

    expect((await bots(pat.value, id)).status).toBe(401);
  });

  it('ends within a minute: a membership, and a role', async () => {
    const workspace = await newWorkspace();
    const [leaver, demoted] = await Promise.all([workspace.join('manager'), workspace.join('manager')]);
    const audit = (token: string) => workspace.call('GET', `/workspaces/${workspace.id}/audit-records`, { token });
    expect([(await audit(leaver.token)).status, (await audit(demoted.token)).status]).toEqual([200, 200]);

    await workspace.owner.client.deleteWorkspaceMember({ id: leaver.memberId });
    await workspace.owner.client.updateWorkspaceMember({ id: demoted.memberId, role: 'viewer' });
    laterBy(REMEMBERED_MS);

    expect([(await audit(leaver.token)).status, (await audit(demoted.token)).status]).toEqual([403, 403]);
  });

  it('ends within a minute: the key of a bot that was deleted', async () => {
    const workspace = await newWorkspace();
    const { bot } = await newBotWithIntegration(workspace);
    const { value } = await workspace.owner.client.createBotApiKey({ botId: bot.id });
    const introspect = () => workspace.call('POST', '/introspect', { token: value, body: { botId: bot.id } });
    expect((await introspect()).status).toBe(200);

    await workspace.owner.client.deleteBot({ id: bot.id });
    laterBy(REMEMBERED_MS);

    expect((await introspect()).status).toBe(401);
  });

  it('ends by itself: a token that expires', async () => {
    const workspace = await newWorkspace();
    const expiresAt = new Date(Date.now() + 5_000).toISOString();
    const { body } = await workspace.call('POST', '/account/pats', { body: { note: 'n', expiresAt } });
    expect((await bots(body.pat.value, workspace.id)).status).toBe(200);

    laterBy(5_001);
    const answer = await bots(body.pat.value, workspace.id);

    expect({ status: answer.status, message: answer.body.message }).toEqual({
      status: 401,
      message: `The token expired at ${expiresAt}.`,
    });
  });
});

it('what is granted works on the next call, although a refusal was given just now', async () => {
  const workspace = await newWorkspace();
  const viewer = await workspace.join('viewer');
  expect((await workspace.call('POST', '/bots', { token: viewer.token, body: {} })).status).toBe(403);

  await workspace.owner.client.updateWorkspaceMember({ id: viewer.memberId, role: 'developer' });

  expect((await workspace.call('POST', '/bots', { token: viewer.token, body: {} })).status).toBe(201);
});

describe('the use of a token', () => {
  it('is kept to the hour, and shown to its owner', async () => {
    const { owner } = await newWorkspace();
    const { pat } = await owner.client.createPersonalAccessToken({ note: 'unused' });

    const pats = (await owner.client.listPersonalAccessTokens({})).pats as { id: string; lastUsedAt?: string }[];

    expect(pats.find(({ id }) => id === pat.id)?.lastUsedAt).toBeUndefined();
    expect(pats.find(({ id }) => id !== pat.id)?.lastUsedAt).toMatch(/^\d{4}-/);
  });
});

describe.skipIf(isLeftOut('log'))('the log', () => {
  it('has no token in it: not of who calls, not of what is made, not in an error', async () => {
    const lines: string[] = [];
    const spies = (['info', 'warn', 'error'] as const).map(level =>
      vi.spyOn(console, level).mockImplementation((line: string) => void lines.push(line)),
    );
    const workspace = await newWorkspace();
    const { bot, integration } = await newBotWithIntegration(workspace, { encryptionKey: 'very secret key' });
    const made = [
      (await workspace.owner.client.createPersonalAccessToken({ note: 'n' })).pat.value,
      (await workspace.owner.client.createBotApiKey({ botId: bot.id })).value,
      (await workspace.owner.client.createIntegrationApiKey({ integrationId: integration.id })).value,
      (await workspace.owner.client.rotateBotSigningSecrets({ id: bot.id })).newSigningSecret,
    ];
    await bots(`${made[0]}x`, workspace.id);
    await workspace.call('GET', '/bots/unknown', { token: made[0]! });
    await workspace.call('POST', '/account/pats', { body: { note: made[0], scopes: [made[1]] } });
    for (const spy of spies) spy.mockRestore();

    const log = lines.join('\n');
    expect(log).toContain('"operation":"getBot"');
    for (const secret of [...made, workspace.owner.token, 'very secret key']) expect(log).not.toContain(secret);
  });
});
