import { expect, it } from 'vitest';
import { PREFERENCES_LIMIT } from '#shared/storage/dynamodb/workspace/preferences.ts';
import { type AdminClient, newWorkspace } from '#test/support/platform.ts';

interface Preferences {
  path: string;
  set(client: AdminClient, input: { key: string; value?: unknown }): Promise<unknown>;
  get(client: AdminClient, input: { key: string }): Promise<unknown>;
}

/** Tests the operation that sets a preference of an account or a workspace. */
export function testSetPreference(preferences: Preferences): void {
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

    await preferences.set(owner.client, { key: 'k', value });
    const answer = await preferences.get(owner.client, { key: 'k' });

    expect(answer).toEqual({ value });
  });

  it(`returns 413 for more than ${PREFERENCES_LIMIT} preferences, until one is removed`, async () => {
    const { owner, call } = await newWorkspace();
    const statusOf = async (key: string, body: object) =>
      (await call('POST', `${preferences.path}/${key}`, { body })).status;
    for (let i = 0; i < PREFERENCES_LIMIT; i++) await preferences.set(owner.client, { key: `k${i}`, value: i });

    const statuses = [
      await statusOf('more', { value: 1 }),
      await statusOf('k0', { value: 'replaced' }),
      await statusOf('absent', {}),
      await statusOf('more', { value: 1 }),
      await statusOf('k1', {}),
      await statusOf('more', { value: 1 }),
      await statusOf('most', { value: 1 }),
    ];

    expect(statuses).toEqual([413, 200, 200, 413, 200, 200, 413]);
  }, 60_000);

  it('replaces the value, and removes it if none is given', async () => {
    const { owner, call } = await newWorkspace();

    await preferences.set(owner.client, { key: 'k', value: { a: 1 } });
    await preferences.set(owner.client, { key: 'k', value: { b: 2 } });
    const replaced = await preferences.get(owner.client, { key: 'k' });
    await call('POST', `${preferences.path}/k`, { body: {} });
    const removed = await preferences.get(owner.client, { key: 'k' });

    expect(replaced).toEqual({ value: { b: 2 } });
    expect(removed).toEqual({});
  });

  it.each(['a/b', 'two words', 'a%2Fb', 'ключ', 'k'.repeat(200)])('accepts the key %s', async key => {
    const { owner } = await newWorkspace();

    await preferences.set(owner.client, { key, value: 1 });
    const answer = await preferences.get(owner.client, { key });

    expect(answer).toEqual({ value: 1 });
  });

  it('returns 400 for a key or value that is too long, and stores nothing', async () => {
    const { owner, call } = await newWorkspace();

    const key = await call('POST', `${preferences.path}/${'k'.repeat(201)}`, { body: { value: 1 } });
    const value = await call('POST', `${preferences.path}/k`, { body: { value: 'v'.repeat(1024 * 1024) } });

    expect(key.body).toMatchObject({ code: 400, metadata: { issues: [{ path: 'key' }] } });
    expect(value.body).toMatchObject({ code: 400, metadata: { issues: [{ path: 'value' }] } });
    expect(await preferences.get(owner.client, { key: 'k' })).toEqual({});
  });
}
