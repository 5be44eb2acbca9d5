import { describe, expect, it } from 'vitest';
import { call, install, newUser, useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();

describe('PUT /users/me', () => {
  it('changes the given fields and keeps the others', async () => {
    const { client } = await newUser(await install(), { name: 'Ada' });

    const { user } = await client.updateUser({ profile: 'mathematician' });

    expect(user).toMatchObject({ name: 'Ada', profile: 'mathematician' });
    expect(user.updatedAt >= user.createdAt).toBe(true);
    expect((await client.getUser({})).user).toEqual(user);
  });

  it('keeps both of two concurrent changes to different fields', async () => {
    const { client } = await newUser(await install());

    await Promise.all([client.updateUser({ name: 'Ada' }), client.updateUser({ profile: 'p' })]);

    expect((await client.getUser({})).user).toMatchObject({ name: 'Ada', profile: 'p' });
  });

  it('returns 404 and creates nothing when the user does not exist', async () => {
    const installation = await install();
    const key = installation.keyOf('nobody');

    const { status } = await call(`${installation.chatUrl}/users/me`, { method: 'PUT', key, body: { name: 'x' } });

    expect(status).toBe(404);
    expect((await call(`${installation.chatUrl}/users/me`, { key })).status).toBe(404);
  });

  it('returns 400 for a field of the wrong type', async () => {
    const installation = await install();
    const { key } = await newUser(installation);

    const { status, body } = await call(`${installation.chatUrl}/users/me`, { method: 'PUT', key, body: { name: 1 } });

    expect({ status, path: body.metadata.issues[0].path }).toEqual({ status: 400, path: 'name' });
  });
});
