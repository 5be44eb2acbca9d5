import { beforeAll, describe, expect, it } from 'vitest';
import { eventually, newBot, type TestBot, useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();

let bot: TestBot;
beforeAll(async () => {
  bot = await newBot();
});

const scheduled = async (delay: number) =>
  (await bot.client.createEvent({ type: 'later', payload: { a: 1 }, schedule: { delay } })).event;
const cancel = (id: string) => bot.call('DELETE', `/events/scheduled/${id}`);
const statusOf = async (id: string) => (await bot.client.getEvent({ id })).event.status;

describe('DELETE /v1/chat/events/scheduled/{id}', () => {
  it('returns 200 with an empty body and cancels the event', async () => {
    const event = await scheduled(600_000);

    const { status, body } = await cancel(event.id);

    expect({ status, body }).toEqual({ status: 200, body: {} });
    expect((await bot.client.getEvent({ id: event.id })).event).toEqual({ ...event, status: 'canceled' });
  });

  it('prevents the delivery of the event', async () => {
    const calledOff = await scheduled(1000);
    await bot.client.cancelScheduledEvent({ id: calledOff.id });
    const later = await scheduled(1400);

    await eventually(async () => expect(await statusOf(later.id)).toBe('pending'));

    expect(await statusOf(calledOff.id)).toBe('canceled');
  });

  it('returns 409 when the event was canceled, has occurred, or was never scheduled', async () => {
    const twice = await scheduled(600_000);
    await cancel(twice.id);
    const happened = await scheduled(100);
    await eventually(async () => expect(await statusOf(happened.id)).toBe('pending'));
    const { event: pending } = await bot.client.createEvent({ type: 'now', payload: {} });

    const answers = [await cancel(twice.id), await cancel(happened.id), await cancel(pending.id)];

    for (const answer of answers) expect(answer).toMatchObject({ status: 409, body: { type: 'RelationConflict' } });
  });

  it('lets one of several concurrent callers cancel the event', async () => {
    const { id } = await scheduled(600_000);

    const answers = await Promise.all(Array.from({ length: 5 }, () => cancel(id)));

    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409]);
  });

  it('returns 404 for an unknown event or one of another bot', async () => {
    const { id } = await scheduled(600_000);
    const other = await newBot(bot.workspace);

    const answers = [
      await cancel('no-such'),
      await cancel(`evb_${'z'.repeat(32)}`),
      await other.call('DELETE', `/events/scheduled/${id}`),
    ];

    for (const answer of answers) expect(answer).toMatchObject({ status: 404, body: { type: 'ResourceNotFound' } });
    expect(await statusOf(id)).toBe('scheduled');
  });
});
