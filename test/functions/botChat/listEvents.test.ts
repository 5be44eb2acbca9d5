import { randomBytes, randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { type AdminClient, newBot, type TestBot, useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();

type Query = Parameters<AdminClient['listEvents']>[0];

let bot: TestBot;
beforeAll(async () => {
  bot = await newBot();
});

async function setUp() {
  const { conversation } = await bot.client.createConversation({ channel: 'channel', tags: {} });
  const { user } = await bot.client.createUser({ tags: {} });
  const { message } = await bot.client.createMessage({
    conversationId: conversation.id,
    userId: user.id,
    type: 'text',
    payload: { text: 'hi' },
    tags: {},
  });
  return { conversationId: conversation.id, userId: user.id, messageId: message.id };
}
/** An event type that no other test uses. */
const newType = () => `t-${randomUUID()}`;
const happen = async (fields: Partial<Parameters<AdminClient['createEvent']>[0]> & { type: string }) =>
  (await bot.client.createEvent({ payload: {}, ...fields })).event;
const listed = async (query: Query) => (await bot.client.listEvents(query)).events;

describe('GET /v1/chat/events', () => {
  it('returns 200 with the events of a type, newest first', async () => {
    const type = newType();
    const events = [await happen({ type, payload: { n: 1 } }), await happen({ type }), await happen({ type })];
    await happen({ type: `${type}2` });

    const { status, body } = await bot.call('GET', `/events?type=${type}`);

    expect(status).toBe(200);
    expect(body).toEqual({ events: events.reverse(), meta: {} });
  });

  it('filters by conversation, user and message, each alone and with a type', async () => {
    const [here, there] = [await setUp(), await setUp()];
    const type = newType();
    const a = await happen({ type, conversationId: here.conversationId });
    const b = await happen({ type, userId: here.userId });
    const c = await happen({ type, messageId: here.messageId });
    await happen({ type, ...there });
    const other = await happen({ type: newType(), conversationId: here.conversationId });

    const { conversationId, userId, messageId } = here;

    expect(await listed({ type, conversationId })).toEqual([c, a]);
    expect(await listed({ type, userId })).toEqual([b]);
    expect(await listed({ type, messageId })).toEqual([c]);
    expect(await listed({ type, conversationId, messageId })).toEqual([c]);
    expect(await listed({ userId })).toEqual([b]);
    expect((await listed({ conversationId })).map(({ id }) => id)).toEqual(
      expect.arrayContaining([a.id, c.id, other.id]),
    );
  });

  it('filters by current status', async () => {
    const type = newType();
    const pending = await happen({ type });
    const scheduled = await happen({ type, schedule: { delay: 600_000 } });
    const canceled = await happen({ type, schedule: { delay: 600_000 } });
    await bot.client.cancelScheduledEvent({ id: canceled.id });

    const { body } = await bot.call('GET', `/events?type=${type}&status=canceled`);

    expect(await listed({ type, status: 'pending' })).toEqual([pending]);
    expect(await listed({ type, status: 'scheduled' })).toEqual([scheduled]);
    expect((await listed({ status: 'scheduled' })).map(({ id }) => id)).toContain(scheduled.id);
    expect((await listed({ status: 'scheduled' })).map(({ id }) => id)).not.toContain(canceled.id);
    expect(body.events).toEqual([{ ...canceled, status: 'canceled' }]);
  });

  it.each([
    ['of a type', (type: string, _: string) => ({ type })],
    ['of a conversation', (_: string, conversationId: string) => ({ conversationId })],
    ['of both', (type: string, conversationId: string) => ({ type, conversationId })],
  ])('pages through events %s without repetition', async (_, query) => {
    const type = newType();
    const { conversation } = await bot.client.createConversation({ channel: 'channel', tags: {} });
    const ids: string[] = [];
    for (let i = 0; i < 5; i++) ids.unshift((await happen({ type, conversationId: conversation.id })).id);

    const found: string[] = [];
    let nextToken: string | undefined;
    do {
      const page = await bot.client.listEvents({ ...query(type, conversation.id), pageSize: 2, nextToken });
      expect(page.events.length).toBeLessThanOrEqual(2);
      found.push(...page.events.map(({ id }) => id));
      nextToken = page.meta.nextToken;
    } while (nextToken);

    expect(found).toEqual(ids);
  });

  it('lists all events of a bot, newest first, across statuses and pages', async () => {
    const own = await newBot(bot.workspace);
    const ids: string[] = [];
    for (const delay of [undefined, 600_000, undefined, 600_000, undefined]) {
      const schedule = delay === undefined ? {} : { schedule: { delay } };
      ids.unshift((await own.client.createEvent({ type: 't', payload: {}, ...schedule })).event.id);
    }

    const first = await own.client.listEvents({ pageSize: 3 });
    const second = await own.client.listEvents({ pageSize: 3, nextToken: first.meta.nextToken });

    expect([...first.events, ...second.events].map(({ id }) => id)).toEqual(ids);
    expect(second.meta.nextToken).toBeUndefined();
  });

  it('shortens pages of large events', async () => {
    const type = newType();
    const ids: string[] = [];
    for (let i = 0; i < 8; i++) {
      ids.unshift((await happen({ type, payload: { text: randomBytes(680_000).toString('base64') } })).id);
    }

    const found: string[] = [];
    let nextToken: string | undefined;
    do {
      const page = await bot.client.listEvents({ type, nextToken });
      found.push(...page.events.map(({ id }) => id));
      nextToken = page.meta.nextToken;
    } while (nextToken);

    expect(found).toEqual(ids);
  });

  it('shows an integration only its own events', async () => {
    const type = newType();
    await happen({ type });
    const { event } = await bot.integration.createEvent({ type, payload: {} });

    const { events } = await bot.integration.listEvents({ type });

    expect(events).toEqual([event]);
  });

  it.each([
    ['status=done', 'status'],
    ['type=', 'type'],
    ['pageSize=0', 'pageSize'],
    ['nextToken=nonsense', 'nextToken'],
  ])('returns 400 for ?%s and names the field', async (query, path) => {
    const { status, body } = await bot.call('GET', `/events?${query}`);

    expect({ status, type: body.type, path: body.metadata?.issues[0].path }).toEqual({
      status: 400,
      type: 'InvalidPayload',
      path,
    });
  });
});
