import { describe, expect, it } from 'vitest';
import { clock } from '#shared/core/clock.ts';
import { newWorkspace, useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();

describe('GET /v1/admin/account/pats', () => {
  it("lists the caller's own tokens without their values", async () => {
    const workspace = await newWorkspace();
    const viewer = await workspace.join('viewer');
    const { pat } = await workspace.owner.client.createPersonalAccessToken({ note: 'laptop' });
    await viewer.client.createPersonalAccessToken({ note: 'phone' });

    const { pats } = await workspace.owner.client.listPersonalAccessTokens({});

    expect(pats.map(({ note }) => note).sort()).toEqual(['Created by bootstrap', 'laptop']);
    expect(pats.find(({ id }) => id === pat.id)).toEqual({ id: pat.id, note: 'laptop', createdAt: pat.createdAt });
    expect(JSON.stringify(pats)).not.toContain('bp_pat_');
  });

  it('shows the scopes and expiry of a token', async () => {
    const { call } = await newWorkspace();
    const expiresAt = new Date(clock.now() + 3_600_000).toISOString();
    const made = await call('POST', '/account/pats', { body: { note: 'ci', expiresAt, scopes: ['admin:read'] } });

    const { body } = await call('GET', '/account/pats');

    expect(body.pats).toContainEqual({
      id: made.body.pat.id,
      note: 'ci',
      createdAt: made.body.pat.createdAt,
      expiresAt,
      scopes: ['admin:read'],
    });
  });

  it('shows the last use of a token', async () => {
    const { owner, clientOf, call } = await newWorkspace();
    const { pat: used } = await owner.client.createPersonalAccessToken({ note: 'used' });
    const { pat: unused } = await owner.client.createPersonalAccessToken({ note: 'unused' });

    await clientOf(used.value).listBots({});
    const { body } = await call('GET', '/account/pats');

    expect(body.pats.find((each: { id: string }) => each.id === used.id).lastUsedAt >= used.createdAt).toBe(true);
    expect(body.pats.find((each: { id: string }) => each.id === unused.id)).not.toHaveProperty('lastUsedAt');
  });
});
