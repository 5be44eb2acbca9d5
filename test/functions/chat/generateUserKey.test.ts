import { decodeJwt } from 'jose';
import { describe, expect, it } from 'vitest';
import { adminSecretHash } from '#shared/api/chat/adminSecret.ts';
import { clock } from '#shared/clock.ts';
import {
  call,
  install,
  newBotWithIntegration,
  newUser,
  newWorkspace,
  useSharedPlatform,
} from '#test/support/platform.ts';
import { ADMIN_SECRET } from '#test/support/requests/chat.ts';

useSharedPlatform();

async function setUp(settings: Parameters<typeof install>[0] = {}) {
  const installation = await install({ adminSecretHash: adminSecretHash(ADMIN_SECRET), ...settings });
  const generate = (body: object, secret: string | undefined = ADMIN_SECRET) =>
    call(`${installation.chatUrl}/users/key`, { method: 'POST', headers: { 'x-admin-secret': secret }, body });
  return { installation, generate };
}

describe('POST /users/key', () => {
  it('makes a key with which the user is known', async () => {
    const { installation, generate } = await setUp();
    const { user } = await newUser(installation, { id: 'ada', name: 'Ada' });

    const { status, body } = await generate({ id: 'ada' });

    expect(status).toBe(200);
    expect(decodeJwt(body.key).exp).toBeUndefined();
    expect((await call(`${installation.chatUrl}/users/me`, { key: body.key })).body.user).toEqual(user);
  });

  it('makes a key that expires', async () => {
    const { installation, generate } = await setUp();
    await newUser(installation, { id: 'ada' });
    const expiresAt = clock.now() + 3_600_000;

    const { body } = await generate({ id: 'ada', expiresAt });

    expect(decodeJwt(body.key).exp).toBe(Math.floor(expiresAt / 1000));
  });

  it('makes a key that ends with its user', async () => {
    const { installation, generate } = await setUp();
    const ada = await newUser(installation, { id: 'ada' });
    const { body } = await generate({ id: 'ada' });
    await ada.client.deleteUser({});
    await newUser(installation, { id: 'ada' });

    expect((await call(`${installation.chatUrl}/users/me`, { key: body.key })).status).toBe(404);
  });

  it.each([
    ['a wrong secret', {}, 'guess', 'Invalid admin secret'],
    ['any secret, where none is configured', { adminSecretHash: undefined }, ADMIN_SECRET, 'adminSecret'],
  ])('answers 401 to %s', async (_, settings, secret, message) => {
    const { generate } = await setUp(settings);

    const { status, body } = await generate({ id: 'ada' }, secret);

    expect({ status, type: body.type }).toEqual({ status: 401, type: 'Unauthorized' });
    expect(body.message).toContain(message);
  });

  it('answers 404 for a user who does not exist, and 400 for a time that is over', async () => {
    const { generate } = await setUp();

    const answers = [await generate({ id: 'nobody' }), await generate({ id: 'nobody', expiresAt: 1 })];

    expect(answers.map(({ status }) => status)).toEqual([404, 400]);
  });

  it('takes the secret from the configuration of the installation, which never shows it', async () => {
    const workspace = await newWorkspace();
    const { bot, chatUrl } = await newBotWithIntegration(workspace, { adminSecret: ADMIN_SECRET });
    const { user } = await newUser({ chatUrl });

    const { status } = await call(`${chatUrl}/users/key`, {
      method: 'POST',
      headers: { 'x-admin-secret': ADMIN_SECRET },
      body: { id: user.id },
    });

    expect(status).toBe(200);
    expect(JSON.stringify(bot)).not.toContain(ADMIN_SECRET);
  });

  it('is refused a secret that could be guessed', async () => {
    const workspace = await newWorkspace();

    await expect(newBotWithIntegration(workspace, { adminSecret: 'secret' })).rejects.toMatchObject({ code: 400 });
  });

  it('lets createUser make users where sign-up is closed', async () => {
    const { installation } = await setUp({ isPersonalKey: true });
    const create = (headers: Record<string, string>) =>
      call(`${installation.chatUrl}/users`, { method: 'POST', headers, body: {} });

    const answers = [await create({}), await create({ 'x-admin-secret': ADMIN_SECRET })];

    expect(answers.map(({ status }) => status)).toEqual([401, 201]);
    const { status } = await call(`${installation.chatUrl}/users/me`, { key: answers[1]!.body.key });
    expect(status).toBe(200);
  });
});
