/** What a workspace uses by its files is exact, whatever becomes of them. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { fileOf, reaches, upload } from '#test/support/files.ts';
import { doAtItsTime, NO_USAGE, recordOf, tell, usageOf } from '#test/support/fileInternals.ts';
import {
  type AdminClient,
  apiBaseUrl,
  Client,
  eventually,
  newBot,
  newWorkspace,
  type TestBot,
  usePlatform,
} from '#test/support/platform.ts';

usePlatform();
afterEach(() => vi.restoreAllMocks());

let bot: TestBot;
beforeEach(async () => {
  bot = await newBot();
});

const ofWorkspace = ({ workspace }: TestBot) => usageOf(workspace.owner.client, workspace.id);
const ofBot = ({ workspace, id }: TestBot) => usageOf(workspace.owner.client, id);
/** The workspace has this bot only. */
async function expectUsage(used: { bytes: number; passages: number; indexedFiles: number }) {
  expect(await ofWorkspace(bot)).toEqual(used);
  expect(await ofBot(bot)).toEqual(used);
}

const OKAPI = 'The okapi is shy.';
const indexed = (key: string, content = OKAPI, { client }: { client: AdminClient } = bot) =>
  upload(client, { key, content, index: true });
const stored = (key: string, content: string, { client }: { client: AdminClient } = bot) =>
  upload(client, { key, content });
/** Two paragraphs that are passages. */
const TWO = `${OKAPI.repeat(10)}\n\n${OKAPI.repeat(10)}`;

describe('what is stored', () => {
  it('is counted when it arrives, not when it is announced', async () => {
    await bot.client.upsertFile({ key: 'pending.txt', size: 1_000 });
    await expectUsage(NO_USAGE);

    await stored('a.txt', '12345');
    await stored('b.txt', '123');

    await expectUsage({ ...NO_USAGE, bytes: 8 });
  });

  it('follows what it is replaced by, bigger, smaller and empty', async () => {
    for (const content of ['12345', '1234567890', '1']) {
      await stored('a.txt', content);
      await expectUsage({ ...NO_USAGE, bytes: content.length });
    }

    const { file } = await bot.client.upsertFile({ key: 'a.txt', size: 0 });
    await tell({ key: (await recordOf(bot.id, file.id)).pending!.object, size: 0 });

    await expectUsage(NO_USAGE);
  });

  it('is less by what is deleted, once', async () => {
    const [gone] = [await stored('a.txt', '12345'), await stored('b.txt', '123')];

    await bot.client.deleteFile({ id: gone.id });
    await expect(bot.client.deleteFile({ id: gone.id })).rejects.toMatchObject({ code: 404 });

    await expectUsage({ ...NO_USAGE, bytes: 3 });
  });

  it('is less by a file that is deleted by many at once, once', async () => {
    const file = await indexed('a.txt');
    await stored('b.txt', '123');

    const outcomes = await Promise.allSettled(Array.from({ length: 10 }, () => bot.client.deleteFile({ id: file.id })));

    expect(outcomes.some(({ status }) => status === 'fulfilled')).toBe(true);
    await expectUsage({ ...NO_USAGE, bytes: 3 });
  });

  it('does not change by an upload that fails', async () => {
    await stored('a.txt', '12345');
    const { file } = await bot.client.upsertFile({ key: 'a.txt', size: 7 });

    await tell({ key: (await recordOf(bot.id, file.id)).pending!.object, size: 8 });

    expect((await fileOf(bot.client, file.id)).status).toBe('upload_failed');
    await expectUsage({ ...NO_USAGE, bytes: 5 });
  });

  it('is more by a copy, and by what it is bigger than what it replaces', async () => {
    await indexed('a.txt');
    await stored('b.txt', '12345');

    const { file } = await bot.client.copyFile({ idOrKey: 'a.txt', destinationKey: 'b.txt', overwrite: true });
    await reaches(bot.client, file.id, 'indexing_completed');
    await bot.client.copyFile({ idOrKey: 'a.txt', destinationKey: 'c.txt' }).then(async copy => {
      await reaches(bot.client, copy.file.id, 'indexing_completed');
    });

    await expectUsage({ bytes: 51, passages: 3, indexedFiles: 3 });
  });

  it('is counted where a copy goes: to a bot of another workspace', async () => {
    const other = await newBot();
    await indexed('a.txt');
    const { owner } = bot.workspace;
    await joinAsAdministrator(other, owner);

    const { file } = await bot
      .clientOf(owner.token)
      .copyFile({ idOrKey: 'a.txt', destinationKey: 'b.txt', 'x-destination-bot-id': other.id });
    await reaches(other.client, file.id, 'indexing_completed');
    await bot.client.deleteFile({ id: 'a.txt' });

    await expectUsage(NO_USAGE);
    expect(await ofWorkspace(other)).toEqual({ bytes: 17, passages: 1, indexedFiles: 1 });
  });

  it('goes at its expiry', async () => {
    const file = await indexed('a.txt');
    await stored('b.txt', '123');
    await bot.client.updateFileMetadata({ id: file.id, expiresAt: new Date(Date.now() + 3_600_000).toISOString() });

    await doAtItsTime(bot.id, file.id, 'expiry');

    await expectUsage({ ...NO_USAGE, bytes: 3 });
  });

  it('is exact for twenty uploads of a bot at once, and for twenty deletions', async () => {
    const files = await Promise.all(
      Array.from({ length: 20 }, async (_, i) => {
        const { file } = await bot.client.uploadFile({ key: `${i}.txt`, content: 'x'.repeat(i + 1) });
        return reaches(bot.client, file.id, 'upload_completed', 25_000);
      }),
    );
    await expectUsage({ ...NO_USAGE, bytes: 210 });

    for (let i = 0; i < 20; i += 5) {
      await Promise.all(files.slice(i, i + 5).map(({ id }) => bot.client.deleteFile({ id })));
    }

    await expectUsage(NO_USAGE);
  });
});

describe('what is indexed', () => {
  it('is counted by its passages when it is, and not before', async () => {
    await indexed('a.txt', TWO);
    await stored('b.txt', '123');

    await expectUsage({ bytes: TWO.length + 3, passages: 2, indexedFiles: 1 });
  });

  it('follows new content: more passages, fewer, and none where indexing fails', async () => {
    await indexed('a.txt');
    await indexed('a.txt', TWO);
    await expectUsage({ bytes: TWO.length, passages: 2, indexedFiles: 1 });

    await indexed('a.txt');
    await expectUsage({ bytes: 17, passages: 1, indexedFiles: 1 });

    const { file } = await bot.client.uploadFile({ key: 'a.txt', content: ' \n ' });
    await reaches(bot.client, file.id, 'indexing_failed');
    await expectUsage({ ...NO_USAGE, bytes: 3 });
  });

  it('follows passages that are given, and is gone when it is not to be indexed any more', async () => {
    const file = await indexed('a.txt');
    const passages = ['one', 'two', 'three'].map(content => ({ content }));

    await bot.client.setFilePassages({ id: file.id, passages });
    await eventually(() => expectUsage({ bytes: 17, passages: 3, indexedFiles: 1 }));
    await bot.client.upsertFile({ key: 'a.txt', size: 5, index: false });

    await expectUsage({ ...NO_USAGE, bytes: 17 });
  });

  it('is less by what is deleted', async () => {
    const file = await indexed('a.txt', TWO);
    await indexed('b.txt');

    await bot.client.deleteFile({ id: file.id });

    await expectUsage({ bytes: 17, passages: 1, indexedFiles: 1 });
  });
});

/** Has an account accept an invitation to another workspace. */
async function joinAsAdministrator({ workspace }: TestBot, { token, client }: { token: string; client: AdminClient }) {
  const { account } = await client.getAccount({});
  const { body } = await workspace.call('POST', '/workspace-members', {
    body: { email: account.email, role: 'administrator' },
  });
  const { status } = await workspace.call('POST', '/invitations/join', {
    token,
    body: { inviteToken: body.inviteToken },
  });
  expect(status).toBe(200);
}

describe('a bot that moves to another workspace', () => {
  /** Another workspace of the same owner, as he sees it. */
  async function target() {
    const { owner } = bot.workspace;
    const { id } = await owner.client.createWorkspace({ name: 'Target' });
    const client = new Client({ apiUrl: apiBaseUrl(), token: owner.token, workspaceId: id });
    const used = () => usageOf(client, id);
    const move = () => owner.client.transferBot({ id: bot.id, targetWorkspaceId: id });
    return { id, used, move };
  }

  it('takes what it uses along, and nothing of other bots; it goes on being counted there', async () => {
    const stays = await newBot(bot.workspace);
    await stored('stays.txt', '1', stays);
    await indexed('a.txt');
    await stored('b.txt', '123');
    const { used, move } = await target();

    await move();
    const moved = await used();
    await bot.client.deleteFile({ id: 'b.txt' });
    await indexed('c.txt');

    expect(moved).toEqual({ bytes: 20, passages: 1, indexedFiles: 1 });
    expect(await used()).toEqual({ bytes: 34, passages: 2, indexedFiles: 2 });
    expect(await ofWorkspace(bot)).toEqual({ ...NO_USAGE, bytes: 1 });
  });

  it('before it has any file is counted where it is', async () => {
    const { used, move } = await target();

    await move();
    await indexed('a.txt');

    expect(await used()).toEqual({ bytes: 17, passages: 1, indexedFiles: 1 });
    expect(await ofWorkspace(bot)).toEqual(NO_USAGE);
  });

  it('while files arrive and are indexed has them counted once, where it is then', async () => {
    await indexed('there.txt');
    const { used, move } = await target();

    const uploads = Promise.all(
      Array.from({ length: 6 }, (_, i) => bot.client.uploadFile({ key: `${i}.txt`, content: OKAPI, index: true })),
    );
    await eventually(move, 20_000);
    for (const { file } of await uploads) await reaches(bot.client, file.id, 'indexing_completed', 25_000);

    expect(await used()).toEqual({ bytes: 17 * 7, passages: 7, indexedFiles: 7 });
    expect(await ofWorkspace(bot)).toEqual(NO_USAGE);
  });
});

describe('a bot that is deleted', () => {
  it('is not counted any more, at once; neither is what arrives afterwards', async () => {
    const stays = await newBot(bot.workspace);
    await stored('stays.txt', '1', stays);
    await indexed('a.txt');
    const { file } = await bot.client.upsertFile({ key: 'late.txt', size: 5 });
    const { object } = (await recordOf(bot.id, file.id)).pending!;

    await bot.workspace.owner.client.deleteBot({ id: bot.id });
    const atOnce = await ofWorkspace(bot);
    await tell({ key: object, size: 5 });

    expect(atOnce).toEqual({ ...NO_USAGE, bytes: 1 });
    expect(await ofWorkspace(bot)).toEqual({ ...NO_USAGE, bytes: 1 });
  });

  it('while files arrive leaves nothing counted', async () => {
    await indexed('a.txt');

    const uploads = Promise.allSettled(
      Array.from({ length: 5 }, (_, i) => bot.client.uploadFile({ key: `${i}.txt`, content: OKAPI, index: true })),
    );
    await eventually(() => bot.workspace.owner.client.deleteBot({ id: bot.id }), 20_000);
    await uploads;

    await eventually(async () => expect(await ofWorkspace(bot)).toEqual(NO_USAGE));
  });
});

it('each bot of a workspace is counted by itself, and the workspace has them all', async () => {
  const workspace = await newWorkspace();
  const [one, two] = [await newBot(workspace), await newBot(workspace)];

  await Promise.all([indexed('a.txt', OKAPI, one), stored('a.txt', '123', two)]);
  await upload(two.integration, { key: 'its.txt', content: OKAPI, index: true });

  expect(await ofBot(one)).toEqual({ bytes: 17, passages: 1, indexedFiles: 1 });
  expect(await ofBot(two)).toEqual({ bytes: 20, passages: 1, indexedFiles: 1 });
  expect(await ofWorkspace(one)).toEqual({ bytes: 37, passages: 2, indexedFiles: 2 });
});
