import { describe, expect, it } from 'vitest';
import { clock } from '#shared/core/clock.ts';
import { handoffsOf, type Member, newTalk, newWaiting, useTeam } from '#test/support/handoffs.ts';
import { eventually, isLeftOut, newBot, useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();

const { team } = useTeam();

const DAY_MS = 24 * 3600_000;
const MB = 1024 ** 2;
const BYTES = new TextEncoder().encode('hello');
const FILE = { key: '1/invoice.txt', size: BYTES.length };
const announceAs = ({ token }: Pick<Member, 'token'>, id: string, body: object = FILE, headers = {}) =>
  team.bot.call('POST', `/handoffs/${id}/files`, { token, body, headers });

/** A conversation of a chat user that is assigned to a member. */
async function served(by: Member) {
  const talk = await newTalk(team.bot);
  const { body } = await handoffsOf(team.bot, by.token).start(talk.conversationId, { accountId: by.accountId });
  return { ...talk, id: body.handoff.id as string, userId: body.handoff.member.userId as string };
}

describe('POST /v1/chat/handoffs/{id}/files', () => {
  it('returns 201 with an upload URL, and a link for 30 days', async () => {
    const { id, userId } = await served(team.ada);

    const { status, body } = await announceAs(team.ada, id);

    expect(status).toBe(201);
    expect(body.file).toMatchObject({
      id: expect.stringMatching(/^file_/),
      botId: team.bot.id,
      key: `${userId}/1/invoice.txt`,
      size: null,
      contentType: 'text/plain',
      tags: {},
      accessPolicies: [],
      index: false,
      status: 'upload_pending',
      url: expect.stringContaining('/v1/content/'),
      uploadUrl: expect.any(String),
    });
    expect(Math.round((Date.parse(body.file.expiresAt) - clock.now()) / DAY_MS)).toBe(30);
  });

  it.skipIf(isLeftOut('content'))('sends the end user a file that their page loads without a key', async () => {
    const { id, client, conversationId } = await served(team.ada);
    const { body } = await announceAs(team.ada, id, { ...FILE, key: '2/invoice.txt' });
    const { url, uploadUrl, contentType } = body.file;

    const upload = await fetch(uploadUrl, { method: 'PUT', headers: { 'content-type': contentType }, body: BYTES });
    const payload = { fileUrl: url, title: 'invoice.txt' };
    await team.bot.call('POST', `/handoffs/${id}/messages`, {
      token: team.ada.token,
      body: { type: 'file', payload },
    });

    expect(upload.ok).toBe(true);
    const { messages } = await client.listMessages({ conversationId });
    expect(messages).toMatchObject([{ payload: { type: 'file', ...payload } }]);
    await eventually(async () => expect(await (await fetch(url)).text()).toBe('hello'));
  });

  it('creates a file of the integration, which the bot and its members do not list', async () => {
    const { id } = await served(team.ada);

    const { body } = await announceAs(team.ada, id, { ...FILE, key: '3/invoice.txt' });

    const { files } = await team.bot.integration.listFiles({});
    expect(files.find(file => file.id === body.file.id)).toMatchObject({ owner: { type: 'integration' } });
    expect((await team.bot.client.listFiles({})).files).toEqual([]);
  });

  it('returns 409 that names the assignee to another agent, and to all while the conversation is queued', async () => {
    const { id } = await served(team.ada);
    const waiting = await newWaiting(team.bot);

    const answers = [await announceAs(team.bob, id), await announceAs(team.bob, waiting.id)];

    expect(answers.map(({ status, body }) => [status, body.type])).toEqual([
      [409, 'RelationConflict'],
      [409, 'RelationConflict'],
    ]);
    expect(answers[0]!.body.metadata.member.id).toBe(team.ada.accountId);
  });

  it('returns 409 that names who ended the handoff', async () => {
    const { id } = await served(team.ada);
    await handoffsOf(team.bot, team.ada.token).end(id);

    const { status, body } = await announceAs(team.ada, id);

    expect({ status, by: body.metadata.endedBy.id }).toEqual({ status: 409, by: team.ada.accountId });
  });

  it('returns 404 for the handoff of another tenant', async () => {
    const { id } = await served(team.ada);
    const stranger = await newBot();

    const { status, body } = await stranger.call('POST', `/handoffs/${id}/files`, {
      token: stranger.workspace.owner.token,
      body: FILE,
    });

    expect({ status, type: body.type }).toEqual({ status: 404, type: 'ResourceNotFound' });
  });

  it.each([
    [{ ...FILE, size: -1 }, 'size'],
    [{ ...FILE, key: '' }, 'key'],
    [{ ...FILE, contentType: 'text' }, 'contentType'],
  ])('returns 400 for %j and names the field', async (body, path) => {
    const { id } = await served(team.ada);

    const { status, body: error } = await announceAs(team.ada, id, body);

    expect({ status, path: error.metadata.issues[0].path }).toEqual({ status: 400, path });
  });

  it('returns 413 above 25 MB', async () => {
    const { id } = await served(team.ada);

    const answers = [
      await announceAs(team.ada, id, { key: '4/a', size: 25 * MB }),
      await announceAs(team.ada, id, { key: '4/b', size: 25 * MB + 1 }),
    ];

    expect(answers.map(({ status, body }) => [status, body.metadata?.limitBytes])).toEqual([
      [201, undefined],
      [413, 25 * MB],
    ]);
  });

  it('uploads with the media type of the caller, by default that of the extension', async () => {
    const { id } = await served(team.ada);

    const types = [
      await announceAs(team.ada, id, { ...FILE, key: '5/a.png', contentType: 'image/webp' }),
      await announceAs(team.ada, id, { ...FILE, key: '5/b.png' }),
      await announceAs(team.ada, id, { ...FILE, key: '5/c' }),
    ].map(({ body }) => body.file.contentType);

    expect(types).toEqual(['image/webp', 'image/png', 'application/octet-stream']);
  });

  it('returns 409 for a key that the member has used, and the first response for a repeated Idempotency-Key', async () => {
    const { id } = await served(team.ada);
    const file = { ...FILE, key: '6/invoice.txt' };
    const headers = { 'idempotency-key': 'upload' };

    const [first, second] = [
      await announceAs(team.ada, id, file, headers),
      await announceAs(team.ada, id, file, headers),
    ];
    const third = await announceAs(team.ada, id, file);

    expect(second.body).toEqual(first.body);
    expect(third).toMatchObject({ status: 409, body: { type: 'AlreadyExists' } });
  });

  it.skipIf(isLeftOut('clock'))('limits the daily uploads of a member', async () => {
    const member = await team.bot.workspace.join('agent');
    const { id } = await served(member);
    const announce = (key: number) => announceAs(member, id, { key: `${key}`, size: 25 * MB });

    for (let i = 0; i < 4; i++) expect((await announce(i)).status).toBe(201);
    const refused = await announce(4);
    clock.advance(DAY_MS);
    const later = await announce(5);

    expect(refused).toMatchObject({ status: 429, body: { type: 'RateLimited', metadata: { limit: 'userUploads' } } });
    expect(later.status).toBe(201);
  });
});
