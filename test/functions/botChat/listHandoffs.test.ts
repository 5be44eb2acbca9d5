import { randomBytes } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { handoffsOf, newTalk, newWaiting } from '#test/support/handoffs.ts';
import { eventually, newBot, type TestBot, useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();

let bot: TestBot;
let agent: Awaited<ReturnType<TestBot['workspace']['join']>>;
/** Ordered by last change; the last one is closed. */
let ids: { waiting: string; other: string; mine: string; closed: string };

beforeAll(async () => {
  bot = await newBot();
  agent = await bot.workspace.join('agent');
  const owner = bot.workspace.owner;
  const [mine, waiting, other, closed] = [
    await newWaiting(bot),
    await newWaiting(bot),
    await newWaiting(bot),
    await newWaiting(bot),
  ];
  await handoffsOf(bot, owner.token).assign(other.id);
  await handoffsOf(bot, agent.token).assign(mine.id);
  await handoffsOf(bot, agent.token).assign(closed.id);
  await handoffsOf(bot, agent.token).end(closed.id);
  ids = { waiting: waiting.id, other: other.id, mine: mine.id, closed: closed.id };
});

const list = async (query: string) => (await handoffsOf(bot, agent.token).list(query)).body;
const idsOf = (body: { handoffs: { id: string }[] }) => body.handoffs.map(({ id }) => id);

describe('GET /v1/chat/handoffs', () => {
  it('lists all handoffs by their last change, newest first', async () => {
    await eventually(async () => expect(idsOf(await list(''))).toEqual([ids.closed, ids.mine, ids.other, ids.waiting]));
  });

  it('lists the handoffs in a status', async () => {
    await eventually(async () => {
      expect(idsOf(await list('?status=waiting'))).toEqual([ids.waiting]);
      expect(idsOf(await list('?status=served'))).toEqual([ids.mine, ids.other]);
      expect(idsOf(await list('?status=closed'))).toEqual([ids.closed]);
    });
  });

  it('lists the handoffs of a current or former assignee', async () => {
    await eventually(async () => {
      expect(idsOf(await list(`?accountId=${agent.accountId}`))).toEqual([ids.mine]);
      expect(idsOf(await list(`?accountId=${agent.accountId}&status=closed`))).toEqual([ids.closed]);
      expect(idsOf(await list(`?accountId=${agent.accountId}&status=waiting`))).toEqual([]);
    });
  });

  it('lists the handoffs of a conversation, newest first', async () => {
    const first = await newWaiting(bot);
    await handoffsOf(bot).end(first.id);
    const { body } = await handoffsOf(bot).start(first.conversationId);

    const found = await list(`?conversationId=${first.conversationId}`);
    const none = await list('?conversationId=no-such');

    expect(idsOf(found)).toEqual([body.handoff.id, first.id]);
    expect(none).toMatchObject({ handoffs: [], meta: { isUnchanged: false } });
  });

  it('continues where the previous page ended', async () => {
    const own = await newBot(bot.workspace);
    const made: string[] = [];
    for (let i = 0; i < 5; i++) made.push((await newWaiting(own)).id);
    const page = async (query: string) => (await handoffsOf(own).list(`?status=waiting&pageSize=2${query}`)).body;

    const first = await page('');
    const second = await page(`&nextToken=${first.meta.nextToken}`);
    const third = await page(`&nextToken=${second.meta.nextToken}`);

    expect([first, second, third].map(idsOf)).toEqual([[made[4], made[3]], [made[2], made[1]], [made[0]]]);
    expect(third.meta).not.toHaveProperty('nextToken');
  });

  it('returns an empty page if nothing changed, and the whole page otherwise', async () => {
    const own = await newBot(bot.workspace);
    const { id } = await newWaiting(own);
    const page = async (query: string) => (await handoffsOf(own).list(`?status=waiting${query}`)).body;
    const { meta } = await page('');

    const unchanged = await page(`&version=${meta.version}`);
    await newWaiting(own);
    const added = await page(`&version=${meta.version}`);
    await handoffsOf(own).end(id);
    const removed = await page(`&version=${added.meta.version}`);

    expect(unchanged).toMatchObject({ handoffs: [], meta: { version: meta.version, isUnchanged: true } });
    expect(added).toMatchObject({ meta: { isUnchanged: false } });
    expect([added, removed].map(({ handoffs }) => handoffs.length)).toEqual([2, 1]);
  });

  describe('with a preview', () => {
    const rowOf = async (own: TestBot, conversationId: string) => {
      const { body } = await handoffsOf(own).list('?preview=true');
      return body.handoffs.find((each: { conversationId: string }) => each.conversationId === conversationId);
    };

    it('returns the user who wrote last and an excerpt of the last message', async () => {
      const own = await newBot(bot.workspace);
      const talk = await newTalk(own);
      await talk.client.updateUser({ name: 'Ada', pictureUrl: 'https://example.com/ada.png' });
      await handoffsOf(own).start(talk.conversationId);

      const id = await talk.say('x'.repeat(500));

      await eventually(async () =>
        expect(await rowOf(own, talk.conversationId)).toMatchObject({
          status: 'waiting',
          preview: {
            user: { id: talk.userId, name: 'Ada', pictureUrl: 'https://example.com/ada.png' },
            lastMessage: { id, author: 'user', userId: talk.userId, type: 'text', text: 'x'.repeat(200) },
          },
        }),
      );
    });

    it('returns the kind of author, and keeps the user', async () => {
      const own = await newBot(bot.workspace);
      const talk = await newTalk(own);
      await talk.say('hello');
      const { conversationId } = talk;
      const { body } = await handoffsOf(own).start(conversationId);
      const preview = async () => (await rowOf(own, conversationId)).preview;

      await own.client.createMessage({
        ...{ conversationId, userId: own.id, type: 'text', tags: {} },
        payload: { text: 'by the bot' },
      });
      await eventually(async () =>
        expect(await preview()).toMatchObject({ user: { id: talk.userId }, lastMessage: { author: 'bot' } }),
      );
      const { token } = bot.workspace.owner;
      await handoffsOf(own, token).assign(body.handoff.id);
      await own.call('POST', `/handoffs/${body.handoff.id}/messages`, {
        token,
        body: { type: 'text', payload: { text: 'by a member' } },
      });

      await eventually(async () =>
        expect(await preview()).toMatchObject({
          user: { id: talk.userId },
          lastMessage: { author: 'member', text: 'by a member' },
        }),
      );
    });

    it('returns the message before a deleted one', async () => {
      const own = await newBot(bot.workspace);
      const talk = await newTalk(own);
      await handoffsOf(own).start(talk.conversationId);
      const first = await talk.say('kept');
      const second = await talk.say('deleted');
      const lastId = async () => (await rowOf(own, talk.conversationId)).preview.lastMessage?.id;
      await eventually(async () => expect(await lastId()).toBe(second));

      await own.client.deleteMessage({ id: second });

      expect(await lastId()).toBe(first);
    });

    it('returns a participant while no user has written', async () => {
      const own = await newBot(bot.workspace);
      const talk = await newTalk(own);
      await handoffsOf(own).start(talk.conversationId);

      const { preview } = await rowOf(own, talk.conversationId);

      expect(preview).toEqual({ user: expect.objectContaining({ id: talk.userId }) });
    });

    it('returns no text of a payload that is too large for the table', async () => {
      const own = await newBot(bot.workspace);
      const talk = await newTalk(own);
      await handoffsOf(own).start(talk.conversationId);

      await own.client.createMessage({
        ...{ conversationId: talk.conversationId, userId: own.id, type: 'custom', tags: {} },
        payload: { title: 'Large', data: randomBytes(700_000).toString('base64') },
      });

      await eventually(async () => {
        const { lastMessage } = (await rowOf(own, talk.conversationId)).preview;
        expect(lastMessage).toMatchObject({ type: 'custom', author: 'bot' });
        expect(lastMessage).not.toHaveProperty('text');
      });
    });

    it('returns an empty page if nothing changed, and the whole page after a message', async () => {
      const own = await newBot(bot.workspace);
      const talk = await newTalk(own);
      await handoffsOf(own).start(talk.conversationId);
      const page = async (query = '') => (await handoffsOf(own).list(`?preview=true${query}`)).body;
      const { meta } = await page();

      const unchanged = await page(`&version=${meta.version}`);
      await talk.say('news');

      expect(unchanged).toMatchObject({ handoffs: [], meta: { version: meta.version, isUnchanged: true } });
      await eventually(async () =>
        expect(await page(`&version=${meta.version}`)).toMatchObject({
          handoffs: [{ preview: { lastMessage: { text: 'news' } } }],
          meta: { isUnchanged: false },
        }),
      );
    });

    it('is absent without the parameter', async () => {
      const { handoffs } = await list('?status=waiting');

      for (const each of handoffs) expect(each).not.toHaveProperty('preview');
    });
  });

  it('returns a new page version after the deletion of a conversation', async () => {
    const own = await newBot(bot.workspace);
    const { conversationId } = await newWaiting(own);
    const page = async (query: string) => (await handoffsOf(own).list(`?status=waiting${query}`)).body;
    const { meta } = await page('');

    await own.client.deleteConversation({ id: conversationId });

    await eventually(async () =>
      expect(await page(`&version=${meta.version}`)).toMatchObject({ handoffs: [], meta: { isUnchanged: false } }),
    );
  });
});
