import { describe, expect, it } from 'vitest';
import { call, install, newUser, useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();

describe('GET /users/me', () => {
  it('returns the user of the key', async () => {
    const { client, user } = await newUser(await install(), { name: 'Ada' });

    expect((await client.getUser({})).user).toEqual(user);
  });

  it('returns 404 to a valid key whose user was never created', async () => {
    const installation = await install();

    const { status, body } = await call(`${installation.chatUrl}/users/me`, {
      key: installation.keyOf('nobody'),
    });

    expect({ status, type: body.type, message: body.message }).toEqual({
      status: 404,
      type: 'ResourceNotFound',
      message: 'The user nobody was not found.',
    });
  });

  it('does not show a user of another installation on the same bot with the same encryption key', async () => {
    const here = await install();
    const { key } = await newUser(here);
    const twin = await install({ botId: here.botId, encryptionKey: here.encryptionKey });

    expect((await call(`${twin.chatUrl}/users/me`, { key })).status).toBe(404);
  });
});
