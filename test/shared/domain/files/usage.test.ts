/** Tests that a workspace's file usage is exact shortly after each change. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { clock } from '#shared/core/clock.ts';
import { arriveUpload, fireFileTimer, NO_USAGE, recordOf, usageOf } from '#test/support/fileInternals.ts';
import { fileOf, untilStatus, upload } from '#test/support/files.ts';
import {
  type AdminClient,
  apiBaseUrl,
  Client,
  eventually,
  newBot,
  newWorkspace,
  settled,
  type TestBot,
  useSharedPlatform,
} from '#test/support/platform.ts';

useSharedPlatform();
afterEach(() => vi.restoreAllMocks());

let bot: TestBot;
beforeEach(async () => {
  bot = await newBot();
});

const ofWorkspace = ({ workspace }: TestBot) => usageOf(workspace.owner.client, workspace.id);
const ofBot = ({ workspace, id }: TestBot) => usageOf(workspace.owner.client, id);
/** The workspace has no other bot. */
async function expectUsage(used: { bytes: number; passages: number; indexedFiles: number }) {
  await eventually(async () => {
    expect(await ofWorkspace(bot)).toEqual(used);
    expect(await ofBot(bot)).toEqual(used);
  });
}

const OKAPI = 'The okapi is shy.';
const indexed = (key: string, content = OKAPI, { client }: { client: AdminClient } = bot) =>
  upload(client, { key, content, index: true });
const stored = (key: string, content: string, { client }: { client: AdminClient } = bot) =>
  upload(client, { key, content });
/** Two paragraphs, each a passage. */
const TWO = `${OKAPI.repeat(30)}\n\n${OKAPI.repeat(30)}`;

describe('stored bytes', () => {
  it('counts an upload when it arrives, not when it is announced', async () => {
    await bot.client.upsertFile({ key: 'pending.txt', size: 1_000 });
    await expectUsage(NO_USAGE);

    await stored('a.txt', '12345');
    await stored('b.txt', '123');

    await expectUsage({ ...NO_USAGE, bytes: 8 });
  });

  it('reflects the size of replaced content: larger, smaller, empty', async () => {
    for (const content of ['12345', '1234567890', '1']) {
      await stored('a.txt', content);
      await expectUsage({ ...NO_USAGE, bytes: content.length });
    }

    const { file } = await bot.client.upsertFile({ key: 'a.txt', size: 0 });
    await arriveUpload((await recordOf(bot.id, file.id)).pending!.object, 0);

    await expectUsage(NO_USAGE);
  });

  it('decreases by the size of a deleted file once', async () => {
    const [gone] = [await stored('a.txt', '12345'), await stored('b.txt', '123')];

    await bot.client.deleteFile({ id: gone.id });
    await expect(bot.client.deleteFile({ id: gone.id })).rejects.toMatchObject({ code: 404 });

    await expectUsage({ ...NO_USAGE, bytes: 3 });
  });

  it('decreases by the size of a concurrently deleted file once', async () => {
    const file = await indexed('a.txt');
    await stored('b.txt', '123');

    const outcomes = await Promise.allSettled(Array.from({ length: 10 }, () => bot.client.deleteFile({ id: file.id })));

    expect(outcomes.some(({ status }) => status === 'fulfilled')).toBe(true);
    await expectUsage({ ...NO_USAGE, bytes: 3 });
  });

  it('ignores a failed upload', async () => {
    await stored('a.txt', '12345');
    const { file } = await bot.client.upsertFile({ key: 'a.txt', size: 7 });

    await arriveUpload((await recordOf(bot.id, file.id)).pending!.object, 8);

    expect((await fileOf(bot.client, file.id)).status).toBe('upload_failed');
    await expectUsage({ ...NO_USAGE, bytes: 5 });
  });

  it('increases by the size of a copy, less the size of the file it replaces', async () => {
    await indexed('a.txt');
    await stored('b.txt', '12345');

    const { file } = await bot.client.copyFile({ idOrKey: 'a.txt', destinationKey: 'b.txt', overwrite: true });
    await untilStatus(bot.client, file.id, 'indexing_completed');
    await bot.client.copyFile({ idOrKey: 'a.txt', destinationKey: 'c.txt' }).then(async copy => {
      await untilStatus(bot.client, copy.file.id, 'indexing_completed');
    });

    await expectUsage({ bytes: 51, passages: 3, indexedFiles: 3 });
  });

  it('counts a copy in the workspace of the target bot', async () => {
    const other = await newBot();
    await indexed('a.txt');
    const { owner } = bot.workspace;
    await joinAsAdministrator(other, owner);

    const { file } = await bot
      .clientOf(owner.token)
      .copyFile({ idOrKey: 'a.txt', destinationKey: 'b.txt', 'x-destination-bot-id': other.id });
    await untilStatus(other.client, file.id, 'indexing_completed');
    await bot.client.deleteFile({ id: 'a.txt' });

    await expectUsage(NO_USAGE);
    await eventually(async () => expect(await ofWorkspace(other)).toEqual({ bytes: 17, passages: 1, indexedFiles: 1 }));
  });

  it('decreases when a file expires', async () => {
    const file = await indexed('a.txt');
    await stored('b.txt', '123');
    await bot.client.updateFileMetadata({ id: file.id, expiresAt: new Date(clock.now() + 3_600_000).toISOString() });

    await fireFileTimer(bot.id, file.id, 'expiry');

    await expectUsage({ ...NO_USAGE, bytes: 3 });
  });

  it('is exact for twenty concurrent uploads and twenty concurrent deletions', async () => {
    const files = await Promise.all(
      Array.from({ length: 20 }, async (_, i) => {
        const { file } = await bot.client.uploadFile({ key: `${i}.txt`, content: 'x'.repeat(i + 1) });
        return untilStatus(bot.client, file.id, 'upload_completed', 25_000);
      }),
    );
    await expectUsage({ ...NO_USAGE, bytes: 210 });

    for (let i = 0; i < 20; i += 5) {
      await Promise.all(files.slice(i, i + 5).map(({ id }) => bot.client.deleteFile({ id })));
    }

    await expectUsage(NO_USAGE);
  });
});

describe('indexed passages', () => {
  it('is counted once indexing is done', async () => {
    await indexed('a.txt', TWO);
    await stored('b.txt', '123');

    await expectUsage({ bytes: TWO.length + 3, passages: 2, indexedFiles: 1 });
  });

  it('reflects new content: more passages, fewer, and none if indexing fails', async () => {
    await indexed('a.txt');
    await indexed('a.txt', TWO);
    await expectUsage({ bytes: TWO.length, passages: 2, indexedFiles: 1 });

    await indexed('a.txt');
    await expectUsage({ bytes: 17, passages: 1, indexedFiles: 1 });

    const { file } = await bot.client.uploadFile({ key: 'a.txt', content: ' \n ' });
    await untilStatus(bot.client, file.id, 'indexing_failed');
    await expectUsage({ ...NO_USAGE, bytes: 3 });
  });

  it('reflects the given passages, and drops to zero when indexing is disabled', async () => {
    const file = await indexed('a.txt');
    const passages = ['one', 'two', 'three'].map(content => ({ content }));

    await bot.client.setFilePassages({ id: file.id, passages });
    await eventually(() => expectUsage({ bytes: 17, passages: 3, indexedFiles: 1 }));
    await bot.client.upsertFile({ key: 'a.txt', size: 5, index: false });

    await expectUsage({ ...NO_USAGE, bytes: 17 });
  });

  it('decreases by the passages of a deleted file', async () => {
    const file = await indexed('a.txt', TWO);
    await indexed('b.txt');

    await bot.client.deleteFile({ id: file.id });

    await expectUsage({ bytes: 17, passages: 1, indexedFiles: 1 });
  });
});

/** Makes an account accept an invitation to another workspace. */
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

describe('a bot transferred to another workspace', () => {
  /** Creates another workspace of the same owner. */
  async function target() {
    const { owner } = bot.workspace;
    // A private integration would prevent the transfer, which also ends the bot's keys.
    await owner.client.updateIntegration({ id: bot.integrationId, visibility: 'unlisted' });
    bot = { ...bot, client: bot.clientOf(owner.token) };
    const { id } = await owner.client.createWorkspace({ name: 'Target' });
    const client = new Client({ apiUrl: apiBaseUrl(), token: owner.token, workspaceId: id });
    const used = () => usageOf(client, id);
    const move = () => owner.client.transferBot({ id: bot.id, targetWorkspaceId: id });
    return { id, used, move };
  }

  it('transfers its usage, and is counted in the new workspace', async () => {
    const stays = await newBot(bot.workspace);
    await stored('stays.txt', '1', stays);
    await indexed('a.txt');
    await stored('b.txt', '123');
    const { used, move } = await target();

    await move();
    await eventually(async () => expect(await used()).toEqual({ bytes: 20, passages: 1, indexedFiles: 1 }));
    await bot.client.deleteFile({ id: 'b.txt' });
    await indexed('c.txt');

    await eventually(async () => expect(await used()).toEqual({ bytes: 34, passages: 2, indexedFiles: 2 }));
    await eventually(async () => expect(await ofWorkspace(bot)).toEqual({ ...NO_USAGE, bytes: 1 }));
  });

  it('is counted in its new workspace if it had no files before', async () => {
    const { used, move } = await target();

    await move();
    await indexed('a.txt');

    await eventually(async () => expect(await used()).toEqual({ bytes: 17, passages: 1, indexedFiles: 1 }));
    await eventually(async () => expect(await ofWorkspace(bot)).toEqual(NO_USAGE));
  });

  it('counts files that arrive during the transfer once, in the new workspace', async () => {
    await indexed('there.txt');
    const { used, move } = await target();

    const uploads = Promise.all(
      Array.from({ length: 6 }, (_, i) => bot.client.uploadFile({ key: `${i}.txt`, content: OKAPI, index: true })),
    );
    await eventually(move, 20_000);
    for (const { file } of await uploads) await untilStatus(bot.client, file.id, 'indexing_completed', 25_000);

    await eventually(async () => expect(await used()).toEqual({ bytes: 17 * 7, passages: 7, indexedFiles: 7 }));
    await eventually(async () => expect(await ofWorkspace(bot)).toEqual(NO_USAGE));
  });
});

describe('a deleted bot', () => {
  it('is immediately excluded, including files that arrive later', async () => {
    const stays = await newBot(bot.workspace);
    await stored('stays.txt', '1', stays);
    await indexed('a.txt');
    const { file } = await bot.client.upsertFile({ key: 'late.txt', size: 5 });
    const { object } = (await recordOf(bot.id, file.id)).pending!;

    await eventually(async () => expect(await ofWorkspace(bot)).toEqual({ bytes: 18, passages: 1, indexedFiles: 1 }));

    await bot.workspace.owner.client.deleteBot({ id: bot.id });
    const atOnce = await ofWorkspace(bot);
    await arriveUpload(object, 5);
    await settled();

    expect(atOnce).toEqual({ ...NO_USAGE, bytes: 1 });
    await eventually(async () => expect(await ofWorkspace(bot)).toEqual({ ...NO_USAGE, bytes: 1 }));
  });

  it('leaves no usage when files arrive during the deletion', async () => {
    await indexed('a.txt');

    const uploads = Promise.allSettled(
      Array.from({ length: 5 }, (_, i) => bot.client.uploadFile({ key: `${i}.txt`, content: OKAPI, index: true })),
    );
    await eventually(() => bot.workspace.owner.client.deleteBot({ id: bot.id }), 20_000);
    await uploads;

    await eventually(async () => expect(await ofWorkspace(bot)).toEqual(NO_USAGE));
  });
});

it('counts each bot of a workspace separately, and all of them for the workspace', async () => {
  const workspace = await newWorkspace();
  const [one, two] = [await newBot(workspace), await newBot(workspace)];

  await Promise.all([indexed('a.txt', OKAPI, one), stored('a.txt', '123', two)]);
  await upload(two.integration, { key: 'its.txt', content: OKAPI, index: true });

  await eventually(async () => expect(await ofBot(one)).toEqual({ bytes: 17, passages: 1, indexedFiles: 1 }));
  await eventually(async () => expect(await ofBot(two)).toEqual({ bytes: 20, passages: 1, indexedFiles: 1 }));
  await eventually(async () => expect(await ofWorkspace(one)).toEqual({ bytes: 37, passages: 2, indexedFiles: 2 }));
});
