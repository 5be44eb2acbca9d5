import { describe, expect, it } from 'vitest';
import { apiBaseUrl, call, newSession, newWorkspace, useSharedPlatform } from '#test/support/platform.ts';
import { newLink } from '#test/support/tenants.ts';

useSharedPlatform();

describe('GET /v1/admin/account/sessions', () => {
  it('lists the sessions of the account without their values, and marks the current one', async () => {
    const workspace = await newWorkspace();
    const first = await newSession(workspace.owner.token);
    const second = await newSession(await newLink(workspace.owner.accountId));

    const { body } = await workspace.call('GET', '/account/sessions', { token: second.value });

    expect(body.sessions).toEqual([
      expect.objectContaining({ id: first.id, note: 'Test', createdWith: 'token', isCurrent: false }),
      expect.objectContaining({ id: second.id, createdWith: 'link', isCurrent: true, expiresAt: second.expiresAt }),
    ]);
    expect(JSON.stringify(body)).not.toMatch(/bp_ses_|hash/);
  });

  it('needs no workspace', async () => {
    const { owner } = await newWorkspace();
    const { value: token } = await newSession(owner.token);

    const { status, body } = await call(`${apiBaseUrl()}/v1/admin/account/sessions`, { token });

    expect([status, body.sessions.length]).toEqual([200, 1]);
  });

  it('lists neither personal access tokens nor sign-in links, and is not counted as a token', async () => {
    const workspace = await newWorkspace();
    await newLink(workspace.owner.accountId);
    await newSession(workspace.owner.token);

    const { pats } = await workspace.owner.client.listPersonalAccessTokens({});
    const { body } = await workspace.call('GET', '/account/sessions');

    expect([pats.length, body.sessions.length]).toEqual([1, 1]);
  });

  it("lists no other account's sessions", async () => {
    const workspace = await newWorkspace();
    const member = await workspace.join('administrator');
    await newSession(workspace.owner.token);

    const { body } = await workspace.call('GET', '/account/sessions', { token: member.token });

    expect(body.sessions).toEqual([]);
  });
});
