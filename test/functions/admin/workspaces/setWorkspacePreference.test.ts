import { describe, expect, it } from 'vitest';
import { newWorkspace, useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();

describe('POST /v1/admin/workspaces/preferences/{key}', () => {
  it.each([
    ['null', null],
    ['zero', 0],
    ['false', false],
    ['an empty string', ''],
    ['a nested object', { a: [1, { b: null, __proto__x: [] }], 'c.d': { '': {} } }],
    ['unicode', { 'ключ 🗝': 'Zoë 🦊 \u0000 end' }],
    ['900 KB of text', 'x'.repeat(900 * 1024)],
  ])('stores %s unchanged', async (_, value) => {
    const { owner } = await newWorkspace();

    await owner.client.setWorkspacePreference({ key: 'k', value });
    const answer = await owner.client.getWorkspacePreference({ key: 'k' });

    expect(answer).toEqual({ value });
  });

  it('replaces the value, and removes it without one', async () => {
    const { owner, call } = await newWorkspace();

    await owner.client.setWorkspacePreference({ key: 'k', value: { a: 1 } });
    await owner.client.setWorkspacePreference({ key: 'k', value: { b: 2 } });
    const replaced = await owner.client.getWorkspacePreference({ key: 'k' });
    await call('POST', '/workspaces/preferences/k', { body: {} });
    const forgotten = await owner.client.getWorkspacePreference({ key: 'k' });

    expect(replaced).toEqual({ value: { b: 2 } });
    expect(forgotten).toEqual({});
  });

  it.each(['a/b', 'two words', 'a%2Fb', 'ключ', 'k'.repeat(200)])('accepts the key %s', async key => {
    const { owner } = await newWorkspace();

    await owner.client.setWorkspacePreference({ key, value: 1 });
    const answer = await owner.client.getWorkspacePreference({ key });

    expect(answer).toEqual({ value: 1 });
  });

  it('returns 400 for a key or value that is too long, and stores nothing', async () => {
    const { owner, call } = await newWorkspace();

    const key = await call('POST', `/workspaces/preferences/${'k'.repeat(201)}`, { body: { value: 1 } });
    const value = await call('POST', '/workspaces/preferences/k', { body: { value: 'v'.repeat(1024 * 1024) } });

    expect(key.body).toMatchObject({ code: 400, metadata: { issues: [{ path: 'key' }] } });
    expect(value.body).toMatchObject({ code: 400, metadata: { issues: [{ path: 'value' }] } });
    expect(await owner.client.getWorkspacePreference({ key: 'k' })).toEqual({});
  });

  it('returns 403 to a viewer and stores nothing', async () => {
    const workspace = await newWorkspace();
    const viewer = await workspace.join('viewer');

    const setting = viewer.client.setWorkspacePreference({ key: 'k', value: 1 });

    await expect(setting).rejects.toMatchObject({ code: 403, type: 'Forbidden' });
    expect(await viewer.client.getWorkspacePreference({ key: 'k' })).toEqual({});
  });
});
