import { describe, expect, it } from 'vitest';
import { adminSecretHash } from '#shared/api/chat/adminSecret.ts';
import {
  CROWD,
  call,
  chat,
  install,
  newBotWithIntegration,
  newWorkspace,
  useSharedPlatform,
} from '#test/support/platform.ts';
import { ADMIN_SECRET } from '#test/support/requests/chat.ts';

useSharedPlatform();

describe('POST /users', () => {
  it('creates a user and returns a working key', async () => {
    const { chatUrl } = await install();
    const client = new chat.Client({ apiUrl: chatUrl });

    const { user, key } = await client.createUser({
      name: 'Ada',
      pictureUrl: 'https://example.com/a.png',
      profile: 'p',
    });

    expect(user).toMatchObject({ name: 'Ada', pictureUrl: 'https://example.com/a.png', profile: 'p' });
    expect(user.id).toMatch(/^user_[0-9A-Za-z]{24}$/);
    expect(new Date(user.createdAt).toISOString()).toBe(user.createdAt);
    expect((await client.getUser({ 'x-user-key': key })).user).toEqual(user);
  });

  it('returns 201', async () => {
    const { chatUrl } = await install();

    expect((await call(`${chatUrl}/users`, { method: 'POST', body: {} })).status).toBe(201);
  });

  it('accepts a foreign id, shows it, and puts it into the key', async () => {
    const { chatUrl } = await install();

    const { body } = await call(`${chatUrl}/users`, { method: 'POST', body: { id: 'ada_1' } });

    expect(body.user.id).toBe('ada_1');
    expect(JSON.parse(Buffer.from(body.key.split('.')[1], 'base64url').toString())).toMatchObject({ id: 'ada_1' });
  });

  it('returns 409 for an id that is taken in the same installation', async () => {
    const [here, elsewhere] = [await install(), await install()];
    await call(`${here.chatUrl}/users`, { method: 'POST', body: { id: 'ada' } });

    const again = await call(`${here.chatUrl}/users`, { method: 'POST', body: { id: 'ada' } });
    const there = await call(`${elsewhere.chatUrl}/users`, { method: 'POST', body: { id: 'ada' } });

    expect({ status: again.status, type: again.body.type }).toEqual({ status: 409, type: 'AlreadyExists' });
    expect(there.status).toBe(201);
  });

  it.each([
    ['a character that is not allowed', 'a+b'],
    ['a slash', 'a/b'],
    ['more than 70 characters', 'x'.repeat(71)],
    ['nothing', ''],
    ["the form of the platform's own ids", `user_${'a'.repeat(24)}`],
  ])('returns 400 for an id with %s', async (_, id) => {
    const { chatUrl } = await install();

    const { status, body } = await call(`${chatUrl}/users`, { method: 'POST', body: { id } });

    expect({ status, type: body.type, path: body.metadata.issues[0].path }).toEqual({
      status: 400,
      type: 'InvalidPayload',
      path: 'id',
    });
  });

  it('accepts a profile of 1,000 characters and rejects a longer one', async () => {
    const { chatUrl } = await install();

    const longest = await call(`${chatUrl}/users`, { method: 'POST', body: { profile: 'p'.repeat(1000) } });
    const longer = await call(`${chatUrl}/users`, { method: 'POST', body: { profile: 'p'.repeat(1001) } });

    expect(longest.body.user.profile).toHaveLength(1000);
    expect({ status: longer.status, path: longer.body.metadata.issues[0].path }).toEqual({
      status: 400,
      path: 'profile',
    });
  });

  it('rejects an unpaired surrogate, which the database cannot store', async () => {
    const { chatUrl } = await install();

    const { status, body } = await call(`${chatUrl}/users`, { method: 'POST', body: '{"name":"\\ud800"}' });

    expect({ status, path: body.metadata.issues[0].path }).toEqual({ status: 400, path: 'name' });
  });

  it('returns 401 when the owner of the bot signs user keys', async () => {
    const { chatUrl } = await install({ isPersonalKey: true });

    const { status, body } = await call(`${chatUrl}/users`, { method: 'POST', body: {} });

    expect({ status, type: body.type }).toEqual({ status: 401, type: 'Unauthorized' });
  });

  it('accepts sign-ups with openSignUp, and issues a key that expires with the user', async () => {
    const { chatUrl, encryptionKey } = await install({ isPersonalKey: true, isSignUpOpen: true, areIdsOpen: true });
    const { body } = await call(`${chatUrl}/users`, { method: 'POST', body: { id: 'ada' } });
    const me = (key: string) => call(`${chatUrl}/users/me`, { key });
    expect((await me(body.key)).body.user.id).toBe('ada');

    await call(`${chatUrl}/users/me`, { method: 'DELETE', key: body.key });
    const { signUserKey } = await import('#shared/api/chat/userKey.ts');
    const own = signUserKey({ encryptionKey }, { id: 'ada' });
    await call(`${chatUrl}/users/get-or-create`, { method: 'POST', key: own, body: {} });

    // A valid key of a deleted user.
    expect((await me(body.key)).status).toBe(404);
    expect((await me(own)).body.user.id).toBe('ada');
  });

  it('rejects ids that the owner of the bot may assign', async () => {
    const { chatUrl, encryptionKey } = await install({ isPersonalKey: true, isSignUpOpen: true });
    const { signUserKey } = await import('#shared/api/chat/userKey.ts');
    const ada = signUserKey({ encryptionKey }, { id: 'ada' });
    const create = (body: object) => call(`${chatUrl}/users`, { method: 'POST', body });

    const taken = await create({ id: 'ada', name: 'Mallory' });
    const guest = await create({ name: 'Mallory' });

    expect({ status: taken.status, path: taken.body.metadata.issues[0].path }).toEqual({ status: 400, path: 'id' });
    expect(guest.status).toBe(201);
    const { body } = await call(`${chatUrl}/users/get-or-create`, { method: 'POST', key: ada, body: {} });
    expect(body.user).not.toHaveProperty('name');
  });

  it.each([
    ['signs keys too', { isPersonalKey: true, isSignUpOpen: true }],
    ['has an admin secret only', {}],
  ])('rejects an id without the admin secret if the owner of the bot %s', async (_, settings) => {
    const { chatUrl } = await install({ ...settings, adminSecretHash: adminSecretHash(ADMIN_SECRET) });
    const create = (headers: Record<string, string>, body: object) =>
      call(`${chatUrl}/users`, { method: 'POST', headers, body });

    const stranger = await create({}, { id: 'ada' });
    const guest = await create({}, {});
    const owner = await create({ 'x-admin-secret': ADMIN_SECRET }, { id: 'ada' });

    expect({ status: stranger.status, path: stranger.body.metadata.issues[0].path }).toEqual({
      status: 400,
      path: 'id',
    });
    expect(guest.status).toBe(201);
    expect({ status: owner.status, id: owner.body.user?.id }).toEqual({ status: 201, id: 'ada' });
    expect((await call(`${chatUrl}/users/me`, { key: owner.body.key })).body.user.id).toBe('ada');
  });

  it.each([
    [true, 400],
    ['withIds', 201],
  ])('responds to an id with openSignUp %s in the configuration: %i', async (openSignUp, expected) => {
    const configuration = { encryptionKey: 'q3Vx0t6fJm2yWb8cLr5zKd1nHs7pGu4eTa9i', openSignUp };
    const { chatUrl } = await newBotWithIntegration(await newWorkspace(), configuration);

    const { status } = await call(`${chatUrl}/users`, { method: 'POST', body: { id: 'ada' } });

    expect(status).toBe(expected);
  });

  it('creates one user for a hundred concurrent calls and returns 409 to the others', async () => {
    const { chatUrl } = await install();

    const answers = await Promise.all(
      Array.from({ length: CROWD }, () => call(`${chatUrl}/users`, { method: 'POST', body: { id: 'ada' } })),
    );

    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter(status => status === 201)).toHaveLength(1);
    expect(statuses.filter(status => status === 409)).toHaveLength(CROWD - 1);
  });
});
