import { beforeAll, describe, expect, it } from 'vitest';
import { clock } from '#shared/core/clock.ts';
import { eventually, newBot, type TestBot, useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();

let bot: TestBot;
beforeAll(async () => {
  bot = await newBot();
});

const post = (body: unknown) => bot.call('POST', '/events', { body });

/** Creates one record of each kind that an event may be linked to. */
async function linksOf(of: TestBot) {
  const { client } = of;
  const { conversation } = await client.createConversation({ channel: 'channel', tags: {} });
  const { user } = await client.createUser({ tags: {} });
  const { message } = await client.createMessage({
    conversationId: conversation.id,
    userId: user.id,
    type: 'text',
    payload: { text: 'hi' },
    tags: {},
  });
  const { workflow } = await client.createWorkflow({ name: 'w', status: 'listening' });
  return { conversationId: conversation.id, userId: user.id, messageId: message.id, workflowId: workflow.id };
}

describe('POST /v1/chat/events', () => {
  it('returns 201 with a pending event', async () => {
    const { status, body } = await post({ type: 'ordered', payload: { pizza: 2 } });

    expect(status).toBe(201);
    expect(body).toEqual({
      event: {
        id: expect.stringMatching(/^evb_[0-9A-Za-z]{32}$/),
        createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
        type: 'ordered',
        payload: { pizza: 2 },
        status: 'pending',
        failureReason: null,
      },
    });
  });

  it('links the event to a conversation, a user, a message and a workflow', async () => {
    const links = await linksOf(bot);

    const { event } = await bot.client.createEvent({ type: 'linked', payload: {}, ...links });

    expect(event).toMatchObject({ type: 'linked', ...links });
    expect((await bot.client.getEvent({ id: event.id })).event).toEqual(event);
  });

  it("links an event to its message's conversation and accepts the bot as its user", async () => {
    const { messageId, conversationId } = await linksOf(bot);

    const { event } = await bot.client.createEvent({ type: 'read', payload: {}, messageId, userId: bot.id });

    expect(event).toMatchObject({ messageId, conversationId, userId: bot.id });
  });

  it.each(['conversationId', 'userId', 'messageId', 'workflowId'] as const)(
    'returns 404 when the %s is unknown or belongs to another bot',
    async link => {
      const theirs = await linksOf(await newBot(bot.workspace));
      // An unknown id of the valid form.
      const none = theirs[link].replace(/_.*/, start => `_${'z'.repeat(start.length - 1)}`);

      const answers = [
        await post({ type: 't', payload: {}, [link]: theirs[link] }),
        await post({ type: 't', payload: {}, [link]: none }),
        await post({ type: 't', payload: {}, [link]: 'no-such' }),
      ];

      for (const answer of answers) expect(answer).toMatchObject({ status: 404, body: { type: 'ResourceNotFound' } });
    },
  );

  it('returns 400 for a message of another conversation', async () => {
    const [{ conversationId }, { messageId }] = [await linksOf(bot), await linksOf(bot)];

    const { status, body } = await post({ type: 't', payload: {}, conversationId, messageId });

    expect(status).toBe(400);
    expect(body).toMatchObject({ type: 'InvalidPayload', metadata: { issues: [{ path: 'messageId' }] } });
  });

  it('delivers a scheduled event when due', async () => {
    const byDelay = await bot.client.createEvent({ type: 'later', payload: { a: 1 }, schedule: { delay: 1200 } });
    const byDate = await bot.client.createEvent({
      type: 'later',
      payload: {},
      schedule: { dateTime: new Date(clock.now() + 3_000).toISOString() },
    });
    const far = await bot.client.createEvent({ type: 'later', payload: {}, schedule: { delay: 600_000 } });

    expect([byDelay, byDate, far].map(({ event }) => event.status)).toEqual(['scheduled', 'scheduled', 'scheduled']);
    for (const { event } of [byDelay, byDate]) {
      await eventually(async () => {
        expect((await bot.client.getEvent({ id: event.id })).event).toEqual({ ...event, status: 'pending' });
      });
    }
    expect((await bot.client.getEvent({ id: far.event.id })).event.status).toBe('scheduled');
  });

  it('stores a payload of 600 KB, and returns 413 for a body over 1 MB', async () => {
    const text = '"🦜'.repeat(120_000);

    const { event } = await bot.client.createEvent({ type: 'big', payload: { text } });
    const tooBig = await post({ type: 'big', payload: { text: 'x'.repeat(1_100_000) } });

    expect((await bot.client.getEvent({ id: event.id })).event.payload.text === text).toBe(true);
    expect(tooBig).toMatchObject({ status: 413, body: { type: 'PayloadTooLarge' } });
  });

  it.each([
    [{ type: undefined }, 'type'],
    [{ type: '' }, 'type'],
    [{ type: 'x'.repeat(201) }, 'type'],
    [{ payload: undefined }, 'payload'],
    [{ payload: [] }, 'payload'],
    [{ schedule: {} }, 'schedule'],
    [{ schedule: { delay: 1000, dateTime: '2040-01-01T00:00:00Z' } }, 'schedule'],
    [{ schedule: { delay: 0.5 } }, 'schedule.delay'],
    [{ schedule: { dateTime: '9999-01-01T00:00:00Z' } }, 'schedule.dateTime'],
    [{ userId: 7 }, 'userId'],
  ])('returns 400 for %j and names the field', async (fault, path) => {
    const { status, body } = await post({ type: 't', payload: {}, ...fault });

    expect({ status, type: body.type, path: body.metadata?.issues[0].path }).toEqual({
      status: 400,
      type: 'InvalidPayload',
      path,
    });
  });

  describe('of an integration', () => {
    const asIntegration = (body: object) =>
      bot.call('POST', '/events', {
        token: bot.tokens.integration,
        headers: { 'x-integration-alias': 'chat' },
        body: { payload: {}, ...body },
      });

    it("has the integration's prefix, which is hidden from the integration", async () => {
      const bare = await asIntegration({ type: 'ordered' });
      const prefixed = await asIntegration({ type: 'chat:ordered' });

      expect([bare, prefixed].map(({ status, body }) => [status, body.event.type])).toEqual([
        [201, 'ordered'],
        [201, 'ordered'],
      ]);
      for (const { body } of [bare, prefixed]) {
        expect((await bot.client.getEvent({ id: body.event.id })).event.type).toBe('chat:ordered');
        expect((await bot.integration.getEvent({ id: body.event.id })).event).toEqual(body.event);
      }
      const listed = await bot.integration.listEvents({ type: 'ordered' });
      expect(listed.events.map(({ id }) => id)).toContain(bare.body.event.id);
    });

    it.each(['message_created', 'workflow_update', 'state_expired', 'table_row_created'])(
      'is prefixed even with the name of the platform event %s',
      async type => {
        const { body } = await asIntegration({ type });

        expect((await bot.client.getEvent({ id: body.event.id })).event.type).toBe(`chat:${type}`);
      },
    );

    it.each(['other:custom', 'telegram:message', ':x'])(
      'returns 403 for %s, an event name of another integration',
      async type => {
        const ofKey = await asIntegration({ type });
        const ofMember = await bot.call('POST', '/events', {
          token: bot.workspace.owner.token,
          headers: { 'x-integration-alias': 'chat' },
          body: { type, payload: {} },
        });

        for (const { status, body } of [ofKey, ofMember]) {
          expect({ status, type: body.type }).toEqual({ status: 403, type: 'Forbidden' });
          expect(body.message).toContain('starts with chat:');
        }
      },
    );
  });

  it.each(['message_created', 'workflow_update', 'state_expired', 'table_row_deleted', 'child_workflow_finished'])(
    'returns 403 to the bot and its members for the platform event %s',
    async type => {
      const answers = [
        await post({ type, payload: {} }),
        await bot.call('POST', '/events', { token: bot.workspace.owner.token, body: { type, payload: {} } }),
      ];

      for (const { status, body } of answers) {
        expect({ status, type: body.type }).toEqual({ status: 403, type: 'Forbidden' });
        expect(body.message).toContain('are created by the platform');
      }
    },
  );
});
