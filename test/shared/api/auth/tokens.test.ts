/** Tests tokens and related headers: rejections, revocation, and their absence from logs. */
import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { clock } from '#shared/core/clock.ts';
import {
  apiBaseUrl,
  CACHED_MS,
  call,
  isLeftOut,
  newBotWithIntegration,
  newWorkspace,
  useSharedPlatform,
} from '#test/support/platform.ts';
import { recordLog } from '#test/support/recordLog.ts';

useSharedPlatform();

const bots = (token: string | undefined, workspaceId: string | undefined, headers: Record<string, string> = {}) =>
  call(`${apiBaseUrl()}/v1/admin/bots`, { token, workspaceId, headers });

describe('Authorization', () => {
  it.each([
    ['missing', {}],
    ['without a scheme', { authorization: 'bp_pat_x' }],
    ['of another scheme', { authorization: 'Basic dXNlcjpwYXNz' }],
    ['empty', { authorization: 'Bearer ' }],
    ['of another shape', { authorization: 'Bearer bp_pat_short' }],
    ['of the right shape, but unknown', { authorization: `Bearer bp_pat_${'A'.repeat(36)}` }],
    ['a key of no bot', { authorization: `Bearer bp_bak_${'A'.repeat(36)}` }],
    ['a key of no integration', { authorization: `Bearer bp_iak_${'A'.repeat(36)}` }],
  ])('returns 401 if it is %s', async (_, headers) => {
    const { id } = await newWorkspace();

    const { status, body } = await bots(undefined, id, headers);

    expect({ status, type: body.type }).toEqual({ status: 401, type: 'Unauthorized' });
  });

  it('returns 401 when any single character of a token is changed', async () => {
    const { id, owner } = await newWorkspace();
    const { token } = owner;
    const forged = Array.from(token, (c, i) => token.slice(0, i) + (c === 'A' ? 'B' : 'A') + token.slice(i + 1));

    // The last character before the secret has two bits beyond the owner's id.
    const answers = await Promise.all(forged.map(each => bots(each, id)));

    expect(answers.map(({ status }) => status).filter(status => status !== 401)).toEqual([]);
  });

  it('accepts the scheme in any letter case', async () => {
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
  ])('returns 401 if it is %s', async (_, workspaceId) => {
    const { owner } = await newWorkspace();

    const { status, body } = await bots(owner.token, workspaceId);

    expect({ status, type: body.type }).toEqual({ status: 401, type: 'Unauthorized' });
  });

  it('returns 403 for a workspace the caller is not a member of', async () => {
    const [mine, foreign] = await Promise.all([newWorkspace(), newWorkspace()]);

    const { status, body } = await bots(mine.owner.token, foreign.id);

    expect({ status, type: body.type }).toEqual({ status: 403, type: 'Forbidden' });
  });
});

describe.skipIf(isLeftOut('clock'))('revocation', () => {
  it('takes effect within a minute for a token', async () => {
    const { id, owner } = await newWorkspace();
    const { pat } = await owner.client.createPersonalAccessToken({ note: 'n' });
    expect((await bots(pat.value, id)).status).toBe(200);

    await owner.client.deletePersonalAccessToken({ id: pat.id });
    clock.advance(CACHED_MS);

    expect((await bots(pat.value, id)).status).toBe(401);
  });

  it('takes effect within a minute for a membership or a role', async () => {
    const workspace = await newWorkspace();
    const [leaver, demoted] = await Promise.all([workspace.join('manager'), workspace.join('manager')]);
    const audit = (token: string) => workspace.call('GET', `/workspaces/${workspace.id}/audit-records`, { token });
    expect([(await audit(leaver.token)).status, (await audit(demoted.token)).status]).toEqual([200, 200]);

    await workspace.owner.client.deleteWorkspaceMember({ id: leaver.memberId });
    await workspace.owner.client.updateWorkspaceMember({ id: demoted.memberId, role: 'viewer' });
    clock.advance(CACHED_MS);

    expect([(await audit(leaver.token)).status, (await audit(demoted.token)).status]).toEqual([403, 403]);
  });

  it('takes effect within a minute for the key of a deleted bot', async () => {
    const workspace = await newWorkspace();
    const { bot } = await newBotWithIntegration(workspace);
    const { value } = await workspace.owner.client.createBotApiKey({ botId: bot.id });
    const introspect = () => workspace.call('POST', '/introspect', { token: value, body: { botId: bot.id } });
    expect((await introspect()).status).toBe(200);

    await workspace.owner.client.deleteBot({ id: bot.id });
    clock.advance(CACHED_MS);

    expect((await introspect()).status).toBe(401);
  });

  it('is not needed for an expired token', async () => {
    const workspace = await newWorkspace();
    const expiresAt = new Date(clock.now() + 60_000).toISOString();
    const { body } = await workspace.call('POST', '/account/pats', { body: { note: 'n', expiresAt } });
    expect((await bots(body.pat.value, workspace.id)).status).toBe(200);

    clock.advance(60_001);
    const answer = await bots(body.pat.value, workspace.id);

    expect({ status: answer.status, message: answer.body.message }).toEqual({
      status: 401,
      message: `The token expired at ${expiresAt}.`,
    });
  });
});

it('applies a grant to the next call, even immediately after a rejection', async () => {
  const workspace = await newWorkspace();
  const viewer = await workspace.join('viewer');
  expect((await workspace.call('POST', '/bots', { token: viewer.token, body: {} })).status).toBe(403);

  await workspace.owner.client.updateWorkspaceMember({ id: viewer.memberId, role: 'developer' });

  expect((await workspace.call('POST', '/bots', { token: viewer.token, body: {} })).status).toBe(201);
});

describe('the last use of a token', () => {
  it('is recorded at most once an hour, and shown to its owner', async () => {
    const { owner } = await newWorkspace();
    const { pat } = await owner.client.createPersonalAccessToken({ note: 'unused' });

    const pats = (await owner.client.listPersonalAccessTokens({})).pats as { id: string; lastUsedAt?: string }[];

    expect(pats.find(({ id }) => id === pat.id)?.lastUsedAt).toBeUndefined();
    expect(pats.find(({ id }) => id !== pat.id)?.lastUsedAt).toMatch(/^\d{4}-/);
  });
});

describe.skipIf(isLeftOut('log'))('the log', () => {
  it("contains neither the caller's token, nor a new token, nor a token in an error", async () => {
    const { lines, stop } = recordLog();
    const workspace = await newWorkspace();
    const encryptionKey = randomBytes(32).toString('base64url');
    const { bot, integration } = await newBotWithIntegration(workspace, { encryptionKey });
    const made = [
      (await workspace.owner.client.createPersonalAccessToken({ note: 'n' })).pat.value,
      (await workspace.owner.client.createBotApiKey({ botId: bot.id })).value,
      (await workspace.owner.client.createIntegrationApiKey({ integrationId: integration.id })).value,
      (await workspace.owner.client.rotateBotSigningSecrets({ id: bot.id })).newSigningSecret,
    ];
    await bots(`${made[0]}x`, workspace.id);
    await workspace.call('GET', '/bots/unknown', { token: made[0]! });
    await workspace.call('POST', '/account/pats', { body: { note: made[0], scopes: [made[1]] } });
    stop();

    const log = lines.join('\n');
    expect(log).toContain('"operation":"getBot"');
    for (const secret of [...made, workspace.owner.token, encryptionKey]) expect(log).not.toContain(secret);
  });
});
