import { describe, expect, it } from 'vitest';
import { newWorkspace, useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();

describe('POST /v1/admin/account/preferences/{key}', () => {
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

    await owner.client.setAccountPreference({ key: 'k', value });
    const answer = await owner.client.getAccountPreference({ key: 'k' });

    expect(answer).toEqual({ value });
  });

  it('replaces the value, and removes it without one', async () => {
    const { owner, call } = await newWorkspace();

    await owner.client.setAccountPreference({ key: 'k', value: { a: 1 } });
    await owner.client.setAccountPreference({ key: 'k', value: { b: 2 } });
    const replaced = await owner.client.getAccountPreference({ key: 'k' });
    await call('POST', '/account/preferences/k', { body: {} });
    const forgotten = await owner.client.getAccountPreference({ key: 'k' });

    expect(replaced).toEqual({ value: { b: 2 } });
    expect(forgotten).toEqual({});
  });

  it.each(['a/b', 'two words', 'a%2Fb', 'ключ', 'k'.repeat(200)])('accepts the key %s', async key => {
    const { owner } = await newWorkspace();

    await owner.client.setAccountPreference({ key, value: 1 });
    const answer = await owner.client.getAccountPreference({ key });

    expect(answer).toEqual({ value: 1 });
  });

  it('returns 400 for a key or value that is too long, and stores nothing', async () => {
    const { owner, call } = await newWorkspace();

    const key = await call('POST', `/account/preferences/${'k'.repeat(201)}`, { body: { value: 1 } });
    const value = await call('POST', '/account/preferences/k', { body: { value: 'v'.repeat(1024 * 1024) } });

    expect(key.body).toMatchObject({ code: 400, metadata: { issues: [{ path: 'key' }] } });
    expect(value.body).toMatchObject({ code: 400, metadata: { issues: [{ path: 'value' }] } });
    expect(await owner.client.getAccountPreference({ key: 'k' })).toEqual({});
  });
});
