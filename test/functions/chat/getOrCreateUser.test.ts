import { describe, expect, it } from 'vitest';
import { CROWD, call, chat, install, useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();

const getOrCreate = (chatUrl: string, key: string, body: unknown = {}) =>
  call(`${chatUrl}/users/get-or-create`, { method: 'POST', key, body });

describe('POST /users/get-or-create', () => {
  it('returns 201 when it creates the user and 200 when it finds the same user', async () => {
    const installation = await install();
    const key = installation.keyOf('ada');

    const first = await getOrCreate(installation.chatUrl, key, { name: 'Ada' });
    const second = await getOrCreate(installation.chatUrl, key);

    expect([first.status, second.status]).toEqual([201, 200]);
    expect(first.body.user).toMatchObject({ id: 'ada', name: 'Ada' });
    expect(second.body).toEqual(first.body);
  });

  it('updates the given fields and keeps the others', async () => {
    const installation = await install();
    const key = installation.keyOf('ada');
    await getOrCreate(installation.chatUrl, key, { name: 'Ada', profile: 'old' });

    const { body } = await getOrCreate(installation.chatUrl, key, { profile: 'new' });

    expect(body.user).toMatchObject({ name: 'Ada', profile: 'new' });
  });

  it('works when the owner of the bot signs user keys', async () => {
    const installation = await install({ isPersonalKey: true });

    const { status } = await getOrCreate(installation.chatUrl, installation.keyOf('ada'));

    expect(status).toBe(201);
  });

  it('finds a user that createUser created, by the same key', async () => {
    const { chatUrl } = await install();
    const client = new chat.Client({ apiUrl: chatUrl });
    const { user, key } = await client.createUser({});

    expect((await client.getOrCreateUser({ 'x-user-key': key })).user).toEqual(user);
  });

  it('returns 400 for a key with an invalid id', async () => {
    const installation = await install();

    const { status, body } = await getOrCreate(installation.chatUrl, installation.keyOf('a+b'));

    expect({ status, type: body.type }).toEqual({ status: 400, type: 'InvalidPayload' });
  });

  it('creates one user for a hundred concurrent calls', async () => {
    const installation = await install();
    const key = installation.keyOf('ada');

    const answers = await Promise.all(Array.from({ length: CROWD }, () => getOrCreate(installation.chatUrl, key)));

    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(CROWD - 1);
    expect(new Set(answers.map(({ body }) => body.user.createdAt)).size).toBe(1);
  });
});
