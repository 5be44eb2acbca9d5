/** Tests the webchat client's fields of users. */
import { describe, expect, it } from 'vitest';
import { call, type Installation, install, newBot, useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();

const create = ({ chatUrl }: Pick<Installation, 'chatUrl'>, body: object) =>
  call(`${chatUrl}/users`, { method: 'POST', body });

describe('userData and attributes of a chat user', () => {
  it('is stored with payloadExtensions, and shown to the user', async () => {
    const installation = await install({ payloadExtensions: true });

    const { status, body } = await create(installation, { userData: { plan: 'pro' }, attributes: { city: 'Rome' } });

    expect(status).toBe(201);
    expect(body.user).toMatchObject({ data: { plan: 'pro' }, attributes: { city: 'Rome' } });
    expect((await call(`${installation.chatUrl}/users/me`, { key: body.key })).body.user).toEqual(body.user);
  });

  it('stores only attributes elsewhere, for the bot', async () => {
    const bot = await newBot();

    const { status, body } = await create(bot, { userData: { plan: 'pro' }, attributes: { city: 'Rome' } });

    expect(status).toBe(201);
    expect(Object.keys(body.user).sort()).toEqual(['createdAt', 'id', 'updatedAt']);
    expect((await bot.client.getUser({ id: body.user.id })).user).toMatchObject({ attributes: { city: 'Rome' } });
  });

  it('merges attributes by key, and replaces userData', async () => {
    const installation = await install({ payloadExtensions: true });
    const { body } = await create(installation, { userData: { plan: 'pro' }, attributes: { city: 'Rome', team: 'a' } });
    const update = (changes: object) =>
      call(`${installation.chatUrl}/users/me`, { method: 'PUT', key: body.key, body: changes });

    const first = await update({ attributes: { city: null, street: 'Corso' } });
    const second = await update({ userData: { seats: 3 } });
    const third = await update({ userData: null, name: 'Ada' });

    expect(first.body.user).toMatchObject({ data: { plan: 'pro' }, attributes: { team: 'a', street: 'Corso' } });
    expect(first.body.user.attributes.city).toBeUndefined();
    expect(second.body.user).toMatchObject({ data: { seats: 3 }, attributes: { team: 'a', street: 'Corso' } });
    expect(third.body.user).toMatchObject({ name: 'Ada', attributes: { team: 'a', street: 'Corso' } });
    expect(third.body.user.data).toBeUndefined();
  });

  it('is also accepted by getOrCreateUser, which writes only differences', async () => {
    const installation = await install({ payloadExtensions: true });
    const ask = (body: object) =>
      call(`${installation.chatUrl}/users/get-or-create`, { method: 'POST', key: installation.keyOf('ada'), body });

    const first = await ask({ attributes: { city: 'Rome' } });
    const same = await ask({ attributes: { city: 'Rome' } });
    const second = await ask({ attributes: { city: 'Oslo' }, userData: { plan: 'pro' } });

    expect([first.status, same.status, second.status]).toEqual([201, 200, 200]);
    expect(same.body.user.updatedAt).toBe(first.body.user.updatedAt);
    expect(second.body.user).toMatchObject({ attributes: { city: 'Oslo' }, data: { plan: 'pro' } });
  });

  it.each([
    [{ userData: 'a.signed.token' }, 'userData'],
    [{ attributes: 'a.signed.token' }, 'attributes'],
    [{ attributes: { city: 3 } }, 'attributes.city'],
    [{ userData: { text: 'x'.repeat(10_000) } }, 'userData'],
  ])('returns 400 for %j and names the field', async (body, path) => {
    const { status, body: error } = await create(await install({ payloadExtensions: true }), body);

    expect({ status, path: error.metadata.issues[0].path }).toEqual({ status: 400, path });
  });
});
