import { beforeAll, describe, expect, it } from 'vitest';
import { newBot, type TestBot, useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();

let bot: TestBot;
beforeAll(async () => {
  bot = await newBot();
});

describe('GET /v1/chat/events/{id}', () => {
  it('returns 200 with the event', async () => {
    const { conversation } = await bot.client.createConversation({ channel: 'channel', tags: {} });
    const { event } = await bot.client.createEvent({
      type: 'ordered',
      payload: { pizza: [{ size: null }] },
      conversationId: conversation.id,
    });

    const { status, body } = await bot.call('GET', `/events/${event.id}`);

    expect(status).toBe(200);
    expect(body).toEqual({ event });
  });

  it('returns a scheduled event before its time', async () => {
    const { event } = await bot.client.createEvent({ type: 'later', payload: {}, schedule: { delay: 600_000 } });

    const { event: found } = await bot.client.getEvent({ id: event.id });

    expect(found).toEqual({ ...event, status: 'scheduled' });
  });

  it("shows an integration its own events and not the bot's", async () => {
    const { event: ofBot } = await bot.client.createEvent({ type: 't', payload: {} });
    const { event: ofIntegration } = await bot.integration.createEvent({ type: 't', payload: {} });

    const found = await bot.integration.getEvent({ id: ofIntegration.id });

    expect(found.event).toEqual(ofIntegration);
    expect((await bot.client.getEvent({ id: ofIntegration.id })).event).toEqual({ ...ofIntegration, type: 'chat:t' });
    await expect(bot.integration.getEvent({ id: ofBot.id })).rejects.toMatchObject({ code: 404 });
  });

  it('returns 404 for an unknown event or one of another bot', async () => {
    const other = await newBot(bot.workspace);
    const { event } = await bot.client.createEvent({ type: 't', payload: {} });

    const answers = [
      await bot.call('GET', '/events/no-such'),
      await bot.call('GET', `/events/evb_${'z'.repeat(32)}`),
      await other.call('GET', `/events/${event.id}`),
    ];

    for (const answer of answers) expect(answer).toMatchObject({ status: 404, body: { type: 'ResourceNotFound' } });
  });
});
