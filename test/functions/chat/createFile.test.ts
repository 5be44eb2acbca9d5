import { describe, expect, it } from 'vitest';
import { clock } from '#shared/core/clock.ts';
import {
  call,
  eventually,
  install,
  isLeftOut,
  newBot,
  newBotWithIntegration,
  newUser,
  newWorkspace,
  useSharedPlatform,
} from '#test/support/platform.ts';

useSharedPlatform();

const DAY_MS = 24 * 3600_000;
const MB = 1024 ** 2;
const UPLOAD_BYTES = 25 * MB;
const BYTES = new TextEncoder().encode('hello');
const FILE = { key: 'a/note.txt', size: BYTES.length, accessPolicies: ['public_content'], index: false };

async function setUp(settings: Parameters<typeof install>[0] = {}) {
  const installation = await install(settings);
  const { key, user } = await newUser(installation);
  const announce = (body: object, as = key) => call(`${installation.chatUrl}/files`, { method: 'POST', key: as, body });
  return { installation, announce, user };
}

/** Uploads as the webchat client does. */
const upload = (url: string, contentType: string, body = BYTES) =>
  fetch(url, { method: 'PUT', headers: { 'x-amz-tagging': 'public=true', 'content-type': contentType }, body });

describe('POST /files', () => {
  it('returns 201 with an upload URL, and a link for the lifetime of the file', async () => {
    const { announce, user, installation } = await setUp();
    const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);

    const { status, body } = await announce({ ...FILE, tags: { source: 'integration' } });

    expect(status).toBe(201);
    expect(body.file).toEqual({
      id: expect.stringMatching(/^file_/),
      botId: installation.botId,
      key: `${user.id}/a/note.txt`,
      size: null,
      contentType: 'text/plain',
      tags: { source: 'integration' },
      createdAt: time,
      updatedAt: time,
      accessPolicies: [],
      index: false,
      status: 'upload_pending',
      expiresAt: time,
      url: expect.stringContaining('/v1/content/'),
      uploadUrl: expect.any(String),
    });
    const days = (Date.parse(body.file.expiresAt) - clock.now()) / (24 * 3600_000);
    expect(Math.round(days)).toBe(30);
  });

  it.skipIf(isLeftOut('content')).each([[['public_content']], [[]]])(
    'serves the file at its URL until it expires, with the policies %j',
    async accessPolicies => {
      // Uses a bot, because accepting an upload reads it.
      const installation = await newBotWithIntegration(await newWorkspace(), { fileUploads: true });
      const { key } = await newUser(installation);
      const { body } = await call(`${installation.chatUrl}/files`, {
        method: 'POST',
        key,
        body: { ...FILE, accessPolicies },
      });

      const { ok } = await upload(body.file.uploadUrl, body.file.contentType);

      expect(ok).toBe(true);
      await eventually(async () => expect(await (await fetch(body.file.url)).text()).toBe('hello'));
      clock.advance(29 * DAY_MS);
      const response = await fetch(body.file.url);
      expect(await response.text()).toBe('hello');
      expect(response.headers.get('content-disposition')).toBe('inline; filename=note.txt');
    },
  );

  it('creates a file of the integration, which only the integration lists', async () => {
    const bot = await newBot();
    const { client } = bot.workspace.owner;
    await client.updateBot({ id: bot.id, integrations: { chat: { configuration: { fileUploads: true } } } });
    const { key, user } = await newUser(bot);

    const { body } = await call(`${bot.chatUrl}/files`, { method: 'POST', key, body: FILE });

    const { files } = await bot.integration.listFiles({});
    expect(files.map(({ id, key, owner }) => ({ id, key, type: owner.type }))).toEqual([
      { id: body.file.id, key: `${user.id}/a/note.txt`, type: 'integration' },
    ]);
    expect((await bot.client.listFiles({})).files).toEqual([]);
  });

  it('keeps the keys of two users apart, and returns 409 for a key that the user has used', async () => {
    const { installation, announce } = await setUp();
    const other = await newUser(installation);

    const answers = [await announce(FILE), await announce(FILE, other.key), await announce(FILE)];

    expect(answers.map(({ status }) => status)).toEqual([201, 201, 409]);
    expect(answers[2]!.body).toMatchObject({ type: 'AlreadyExists', message: expect.stringContaining('another key') });
  });

  it.each([
    [{ ...FILE, index: true }, 'index'],
    [{ ...FILE, size: -1 }, 'size'],
    [{ ...FILE, key: '' }, 'key'],
    [{ ...FILE, expiresAt: '2001-01-01T00:00:00Z' }, 'expiresAt'],
    [{ ...FILE, contentType: 'text' }, 'contentType'],
    [{ ...FILE, accessPolicies: ['everyone'] }, 'accessPolicies.0'],
    [{ ...FILE, accessPolicies: ['integrations'] }, 'accessPolicies.0'],
    [{ ...FILE, tags: { kbId: 'kb_1' } }, 'tags'],
  ])('returns 400 for %j and names the field', async (body, path) => {
    const { announce } = await setUp();

    const { status, body: error } = await announce(body);

    expect({ status, path: error.metadata.issues[0].path }).toEqual({ status: 400, path });
  });

  it('keeps a file for 30 days at most', async () => {
    const { announce } = await setUp();

    const { body } = await announce({ ...FILE, expiresAt: new Date(clock.now() + 89 * DAY_MS).toISOString() });

    expect(Math.round((Date.parse(body.file.expiresAt) - clock.now()) / DAY_MS)).toBe(30);
  });

  it.skipIf(isLeftOut('clock')).each([
    ['a user', 'userUploads', 100 * MB, true],
    ['all users of a bot', 'botUploads', 5_000 * MB, false],
  ] as const)('limits the daily uploads of %s', async (_, limit, bytes, isOneUser) => {
    const { announce, installation } = await setUp();
    let uploads = 0;
    const next = async () =>
      announce({ key: `${uploads++}`, size: UPLOAD_BYTES }, isOneUser ? undefined : (await newUser(installation)).key);

    for (let sum = 0; sum < bytes; sum += UPLOAD_BYTES) expect((await next()).status).toBe(201);
    const refused = await next();
    clock.advance(DAY_MS);
    const later = await next();

    expect(refused).toMatchObject({ status: 429, body: { type: 'RateLimited', metadata: { limit } } });
    expect(Number(refused.headers.get('retry-after'))).toBe(refused.body.metadata.resetSeconds);
    expect(later.status).toBe(201);
  });

  it('returns 413 above 25 MB', async () => {
    const { announce } = await setUp();

    const answers = [
      await announce({ ...FILE, size: 25 * 1024 ** 2 }),
      await announce({ ...FILE, size: 25 * 1024 ** 2 + 1 }),
    ];

    expect(answers.map(({ status, body }) => [status, body.type])).toEqual([
      [201, undefined],
      [413, 'PayloadTooLarge'],
    ]);
  });

  it('returns 403 unless the installation is for webchat or enables uploads', async () => {
    const { announce } = await setUp({ takesFiles: undefined });

    const { status, body } = await announce(FILE);

    expect({ status, type: body.type }).toEqual({ status: 403, type: 'Forbidden' });
    expect(body.message).toContain('fileUploads');
  });

  it('returns 404 to the key of a deleted user', async () => {
    const { installation, announce } = await setUp();
    const { client, key } = await newUser(installation);
    await client.deleteUser({});

    expect((await announce(FILE, key)).status).toBe(404);
  });

  it('creates one upload per Idempotency-Key', async () => {
    const { installation } = await setUp();
    const { key } = await newUser(installation);
    const headers = { 'idempotency-key': 'k' };
    const ask = () => call(`${installation.chatUrl}/files`, { method: 'POST', key, headers, body: FILE });

    const [first, second] = [await ask(), await ask()];

    expect(second.body).toEqual(first.body);
  });
});
