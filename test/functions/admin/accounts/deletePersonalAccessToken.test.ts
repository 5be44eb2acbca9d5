import { describe, expect, it } from 'vitest';
import { newWorkspace, useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();

describe('DELETE /v1/admin/account/pats/{id}', () => {
  it('revokes the token and keeps the others', async () => {
    const { owner, clientOf } = await newWorkspace();
    const { pat } = await owner.client.createPersonalAccessToken({ note: 'lost' });

    await owner.client.deletePersonalAccessToken({ id: pat.id });

    await expect(clientOf(pat.value).getAccount({})).rejects.toMatchObject({ code: 401, type: 'Unauthorized' });
    const { pats } = await owner.client.listPersonalAccessTokens({});
    expect(pats.map(({ note }) => note)).toEqual(['Created by bootstrap']);
  });

  it('returns 404 for an unknown or deleted token', async () => {
    const { owner, call } = await newWorkspace();
    const { pat } = await owner.client.createPersonalAccessToken({ note: 'lost' });
    await owner.client.deletePersonalAccessToken({ id: pat.id });

    const answers = [await call('DELETE', `/account/pats/${pat.id}`), await call('DELETE', '/account/pats/pat_none')];

    expect(answers.map(({ status, body }) => [status, body.type])).toEqual([
      [404, 'ResourceNotFound'],
      [404, 'ResourceNotFound'],
    ]);
  });

  it("returns 404 for another account's token, which keeps working", async () => {
    const workspace = await newWorkspace();
    const administrator = await workspace.join('administrator');
    const { pat } = await workspace.owner.client.createPersonalAccessToken({ note: 'mine' });

    const deletion = administrator.client.deletePersonalAccessToken({ id: pat.id });

    await expect(deletion).rejects.toMatchObject({ code: 404, type: 'ResourceNotFound' });
    const { account } = await workspace.clientOf(pat.value).getAccount({});
    expect(account.id).toBe(workspace.owner.accountId);
  });
});
