import { describe, expect, it } from 'vitest';
import {
  apiBaseUrl,
  call,
  newBot,
  newScopedToken,
  newSession,
  newWorkspace,
  useSharedPlatform,
} from '#test/support/platform.ts';

useSharedPlatform();

const signOut = (id: string, token: string) =>
  call(`${apiBaseUrl()}/v1/admin/account/sessions/${id}`, { method: 'DELETE', token });

describe('DELETE /v1/admin/account/sessions/{id}', () => {
  it("ends the caller's session", async () => {
    const workspace = await newWorkspace();
    const { id, value } = await newSession(workspace.owner.token);

    const answers = [await signOut(id, value), await signOut(id, value)];

    expect(answers.map(({ status }) => status)).toEqual([200, 401]);
    await expect(workspace.clientOf(value).createBotApiKey({ botId: 'b' })).rejects.toMatchObject({ code: 401 });
    expect((await workspace.call('GET', '/account/sessions')).body.sessions).toEqual([]);
  });

  it('ends another session of the account', async () => {
    const { owner } = await newWorkspace();
    const [laptop, phone] = [await newSession(owner.token), await newSession(owner.token)];

    const { status } = await signOut(phone.id, laptop.value);

    expect(status).toBe(200);
    expect((await signOut(phone.id, laptop.value)).status).toBe(404);
    expect((await signOut(phone.id, phone.value)).status).toBe(401);
  });

  it('permits a session with scopes to end itself only', async () => {
    const workspace = await newWorkspace();
    const other = await newSession(workspace.owner.token);
    const own = await newSession(await newScopedToken(workspace, ['admin:read']));

    const answers = [await signOut(other.id, own.value), await signOut(own.id, own.value)];

    expect(answers.map(({ status }) => status)).toEqual([403, 200]);
  });

  it("returns 404 for an unknown session, for another account's and for a token", async () => {
    const workspace = await newWorkspace();
    const member = await workspace.join('administrator');
    const { id, value } = await newSession(workspace.owner.token);
    const { pats } = await workspace.owner.client.listPersonalAccessTokens({});

    const answers = [
      await signOut('ses_none', member.token),
      await signOut(id, member.token),
      await signOut(pats[0]!.id, workspace.owner.token),
    ];

    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404]);
    expect((await workspace.call('GET', '/account/me', { token: value })).status).toBe(200);
  });

  it('returns 403 to the keys of bots and integrations', async () => {
    const bot = await newBot();
    const { id } = await newSession(bot.workspace.owner.token);

    const answers = [await signOut(id, bot.tokens.bot), await signOut(id, bot.tokens.integration)];

    expect(answers.map(({ status }) => status)).toEqual([403, 403]);
  });
});
