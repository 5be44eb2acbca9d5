import { beforeAll, describe, expect, it } from 'vitest';
import { newConversation } from '#test/support/handoffs.ts';
import { findMentionItems } from '#test/support/mentions.ts';
import {
  apiBaseUrl,
  call,
  eventually,
  newBot,
  newWorkspace,
  settled,
  type TestBot,
  useSharedPlatform,
} from '#test/support/platform.ts';

useSharedPlatform();

type Member = Awaited<ReturnType<TestBot['workspace']['join']>>;

let bot: TestBot;
let [ada, bob]: Member[] = [];
beforeAll(async () => {
  bot = await newBot();
  [ada, bob] = [await bot.workspace.join('agent'), await bot.workspace.join('viewer')];
});

const inbox = (member: Member, method: string, path: string, body?: unknown) =>
  call(`${apiBaseUrl()}/v1/chat/inbox${path}`, {
    method,
    headers: { authorization: `Bearer ${member.token}`, 'x-workspace-id': bot.workspace.id },
    body,
  });
const listed = async (member: Member, query = '') =>
  (await inbox(member, 'GET', `/mentions?pageSize=50${query}`)).body.mentions as {
    noteId: string;
    excerpt: string;
    readAt?: string;
  }[];
const idsOf = async (member: Member, query?: string) => (await listed(member, query)).map(({ noteId }) => noteId);
const countOf = async (member: Member): Promise<number> =>
  (await inbox(member, 'GET', '/handoff-counts')).body.counts.mentions;

async function newNote(mentions: string[], { of = bot, by = ada!, text = 'Please have a look.' } = {}) {
  const conversationId = await newConversation(of);
  const { status, body } = await of.call('POST', `/conversations/${conversationId}/notes`, {
    token: by.token,
    body: { text, mentions },
  });
  return { status, body, conversationId, id: body.note?.id as string };
}

describe('GET /v1/chat/inbox/mentions', () => {
  it('lists the mentions of the caller in all bots of the workspace, newest first, with an excerpt', async () => {
    const sibling = await newBot(bot.workspace);
    const first = await newNote([bob!.accountId]);
    const second = await newNote([bob!.accountId, bob!.accountId], { of: sibling, text: 'x'.repeat(500) });
    await newNote([]);

    const mentions = await listed(bob!);

    expect(first.body.note.mentions).toEqual([{ id: bob!.accountId, name: expect.any(String) }]);
    expect(mentions.slice(0, 2)).toEqual([
      expect.objectContaining({ noteId: second.id, botId: sibling.id, conversationId: second.conversationId }),
      expect.objectContaining({ noteId: first.id, excerpt: 'Please have a look.', author: expect.anything() }),
    ]);
    expect(mentions[0]!.excerpt.length).toBeLessThanOrEqual(201);
    expect(await idsOf(ada!)).toEqual([]);
  });

  it('does not notify the author, and shows other members nothing', async () => {
    const { id, status } = await newNote([ada!.accountId, bob!.accountId]);

    expect(status).toBe(201);
    expect(await idsOf(ada!)).not.toContain(id);
    expect(await idsOf(bob!)).toContain(id);
  });

  it('lists and counts unread mentions until they are marked as read, also twice', async () => {
    const carol = await bot.workspace.join('agent');
    const [one, two] = [await newNote([carol.accountId]), await newNote([carol.accountId])];
    await eventually(async () => expect(await countOf(carol)).toBe(2));

    const statuses = [
      await inbox(carol, 'PUT', '/mentions/read', { noteIds: [one.id, 'no-such', two.id.slice(0, -1)] }),
      await inbox(carol, 'PUT', '/mentions/read', { noteIds: [one.id, one.id] }),
      await inbox(bob!, 'PUT', '/mentions/read', { noteIds: [two.id] }),
    ].map(({ status }) => status);

    expect(statuses).toEqual([200, 200, 200]);
    await eventually(async () => expect(await idsOf(carol, '&isUnread=true')).toEqual([two.id]));
    expect(await countOf(carol)).toBe(1);
    expect((await listed(carol)).map(({ readAt }) => readAt !== undefined)).toEqual([false, true]);
  });

  it('returns pages', async () => {
    const dave = await bot.workspace.join('agent');
    const ids: string[] = [];
    for (let i = 0; i < 3; i++) ids.unshift((await newNote([dave.accountId])).id);

    const { body: first } = await inbox(dave, 'GET', '/mentions?pageSize=2');
    const { body: rest } = await inbox(dave, 'GET', `/mentions?pageSize=2&nextToken=${first.meta.nextToken}`);

    expect([...first.mentions, ...rest.mentions].map(({ noteId }) => noteId)).toEqual(ids);
    expect(rest.meta).toEqual({});
  });

  it('shows nothing of a note that was deleted or whose conversation was, and then counts it no longer', async () => {
    const erin = await bot.workspace.join('agent');
    const [one, two] = [await newNote([erin.accountId]), await newNote([erin.accountId])];
    expect(JSON.stringify(await findMentionItems(bot.workspace.id))).not.toContain('Please have a look');
    await eventually(async () => expect(await countOf(erin)).toBe(2));

    await bot.call('DELETE', `/notes/${one.id}`, { token: ada!.token });
    await bot.client.deleteConversation({ id: two.conversationId });

    expect(await idsOf(erin)).toEqual([]);
    await settled();
    await eventually(async () => expect(await countOf(erin)).toBe(0));
  });

  it('shows nothing of a bot that was deleted', async () => {
    const frank = await bot.workspace.join('agent');
    const moved = await newBot(bot.workspace);
    await newNote([frank.accountId], { of: moved });
    await moved.workspace.owner.client.deleteBot({ id: moved.id });
    expect(await idsOf(frank)).toEqual([]);
  });
});

describe('POST /v1/chat/conversations/{conversationId}/notes with mentions', () => {
  it('returns 400 for accounts outside the workspace, unknown ones, roles that read no notes, and too many', async () => {
    const stranger = await newWorkspace();
    const billing = await bot.workspace.join('billing');

    const answers = [
      await newNote([stranger.owner.accountId]),
      await newNote(['no-such']),
      await newNote([billing.accountId]),
      await newNote(Array.from({ length: 11 }, () => bob!.accountId)),
    ];

    expect(answers.map(({ status }) => status)).toEqual([400, 400, 400, 400]);
    expect(answers[0]!.body.message).toContain('mentions');
  });

  it('accepts mentions of the bot', async () => {
    const conversationId = await newConversation(bot);

    const { status, body } = await bot.call('POST', `/conversations/${conversationId}/notes`, {
      body: { text: 'The customer asks for you.', mentions: [ada!.accountId] },
    });

    expect(status).toBe(201);
    expect(await idsOf(ada!)).toContain(body.note.id);
  });
});
