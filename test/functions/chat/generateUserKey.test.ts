import { decodeJwt } from 'jose';
import { describe, expect, it } from 'vitest';
import { adminSecretHash } from '#shared/api/chat/adminSecret.ts';
import { clock } from '#shared/core/clock.ts';
import { putWebhook } from '#shared/storage/dynamodb/chat/webhooks.ts';
import { write } from '#shared/storage/dynamodb/engine/transaction.ts';
import {
  CACHED_MS,
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
  const create = (fields: { id: string; name?: string }) => newUser(installation, fields, ADMIN_SECRET);
  return { installation, generate, create };
}

const statusOf = async (chatUrl: string, key: string) => (await call(`${chatUrl}/users/me`, { key })).status;

describe('POST /users/key', () => {
  it('creates a key for the user', async () => {
    const { installation, generate, create } = await setUp();
    const { user } = await create({ id: 'ada', name: 'Ada' });

    const { status, body } = await generate({ id: 'ada' });

    expect(status).toBe(200);
    expect(decodeJwt(body.key).exp).toBeUndefined();
    expect((await call(`${installation.chatUrl}/users/me`, { key: body.key })).body.user).toEqual(user);
  });

  it('creates a key that expires', async () => {
    const { generate, create } = await setUp();
    await create({ id: 'ada' });
    const expiresAt = clock.now() + 3_600_000;

    const { body } = await generate({ id: 'ada', expiresAt });

    expect(decodeJwt(body.key).exp).toBe(Math.floor(expiresAt / 1000));
  });

  it.each([
    ['Parley issues the keys', {}],
    ['the owner of the bot signs keys too', { isPersonalKey: true }],
    ['the owner of the bot signs keys too and sign-up is open', { isPersonalKey: true, isSignUpOpen: true }],
  ])('creates a key that expires with its user, if %s', async (_, settings) => {
    const { installation, generate, create } = await setUp(settings);
    const { key } = await create({ id: 'ada' });
    const { body } = await generate({ id: 'ada' });
    expect(await statusOf(installation.chatUrl, body.key)).toBe(200);

    await call(`${installation.chatUrl}/users/me`, { method: 'DELETE', key });
    await create({ id: 'ada' });

    expect(await statusOf(installation.chatUrl, body.key)).toBe(404);
    expect(await statusOf(installation.chatUrl, key)).toBe(404);
  });

  it("lets the owner take over a guest's id from before the secret, and revokes the guest's key", async () => {
    const installation = await install();
    const [guest, visitor] = [await newUser(installation, { id: 'ada' }), await newUser(installation)];
    await write([putWebhook({ ...installation, adminSecretHash: adminSecretHash(ADMIN_SECRET) })]);
    clock.advance(CACHED_MS);

    const { body } = await call(`${installation.chatUrl}/users/key`, {
      method: 'POST',
      headers: { 'x-admin-secret': ADMIN_SECRET },
      body: { id: 'ada' },
    });

    expect(await statusOf(installation.chatUrl, guest.key)).toBe(401);
    expect(await statusOf(installation.chatUrl, body.key)).toBe(200);
    // The platform generated this id, so no other user has it.
    expect(await statusOf(installation.chatUrl, visitor.key)).toBe(200);
  });

  it.each([
    ['a wrong secret', {}, 'guess', 'The admin secret is invalid.'],
    ['any secret, where none is configured', { adminSecretHash: undefined }, ADMIN_SECRET, 'adminSecret'],
  ])('returns 401 to %s', async (_, settings, secret, message) => {
    const { generate } = await setUp(settings);

    const { status, body } = await generate({ id: 'ada' }, secret);

    expect({ status, type: body.type }).toEqual({ status: 401, type: 'Unauthorized' });
    expect(body.message).toContain(message);
  });

  it('returns 404 for a missing user, and 400 for a past time', async () => {
    const { generate } = await setUp();

    const answers = [await generate({ id: 'nobody' }), await generate({ id: 'nobody', expiresAt: 1 })];

    expect(answers.map(({ status }) => status)).toEqual([404, 400]);
  });

  it("uses the secret in the installation's configuration, which is write-only", async () => {
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

  it('rejects a guessable secret', async () => {
    const workspace = await newWorkspace();

    await expect(newBotWithIntegration(workspace, { adminSecret: 'secret' })).rejects.toMatchObject({ code: 400 });
  });

  it('permits createUser while sign-up is closed', async () => {
    const { installation } = await setUp({ isPersonalKey: true });
    const create = (headers: Record<string, string>) =>
      call(`${installation.chatUrl}/users`, { method: 'POST', headers, body: {} });

    const answers = [await create({}), await create({ 'x-admin-secret': ADMIN_SECRET })];

    expect(answers.map(({ status }) => status)).toEqual([401, 201]);
    const { status } = await call(`${installation.chatUrl}/users/me`, { key: answers[1]!.body.key });
    expect(status).toBe(200);
  });
});
