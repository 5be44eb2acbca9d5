import { afterEach, describe, expect, it } from 'vitest';
import { clock } from '#shared/core/clock.ts';
import { startEndpoint, type TestEndpoint } from '#test/support/endpoint.ts';
import { eventually, isLeftOut, newBot, newUser, type TestBot, useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();

let endpoint: TestEndpoint | undefined;
afterEach(() => endpoint?.stop());

const replay = (bot: TestBot, body: unknown) => bot.workspace.call('POST', `/bots/${bot.id}/events/replay`, { body });
const failed = async (bot: TestBot) => (await bot.client.listEvents({ status: 'failed' })).events;

// A deployed function cannot reach this process.
describe.skipIf(isLeftOut('faults'))('POST /v1/admin/bots/{id}/events/replay', () => {
  it('delivers failed events again, in order and once each', async () => {
    let status = 400;
    endpoint = await startEndpoint((_, response) => void response.writeHead(status).end('{}'));
    const bot = await newBot();
    await bot.workspace.owner.client.updateBot({ id: bot.id, url: endpoint.url });
    const { client } = await newUser(bot);
    const { conversation } = await client.createConversation({});
    for (const text of ['1', '2', '3']) {
      await client.createMessage({ conversationId: conversation.id, payload: { type: 'text', text } });
    }
    await bot.client.createEvent({ type: 'mine', payload: { a: 1 } });
    await eventually(async () => expect(await failed(bot)).toHaveLength(4));
    status = 200;
    const before = endpoint.events().length;

    const answer = await replay(bot, {});

    expect(answer).toMatchObject({ status: 200, body: { replayed: 4 } });
    await eventually(async () => expect((await bot.client.listEvents({ status: 'processed' })).events).toHaveLength(4));
    const again = endpoint.events().slice(before);
    expect(again).toHaveLength(4);
    expect(
      again.filter(({ type }) => type === 'message_created').map(each => each.payload.message.payload.text),
    ).toEqual(['1', '2', '3']);
    expect(
      (await bot.client.listEvents({ status: 'processed' })).events.every(each => each.failureReason === null),
    ).toBe(true);
    expect(await replay(bot, {})).toMatchObject({ body: { replayed: 0 } });
  });

  it('skips events that failed before the given time', async () => {
    endpoint = await startEndpoint((_, response) => void response.writeHead(400).end('{}'));
    const bot = await newBot();
    await bot.workspace.owner.client.updateBot({ id: bot.id, url: endpoint.url });
    await bot.client.createEvent({ type: 'old', payload: {} });
    await eventually(async () => expect(await failed(bot)).toHaveLength(1));

    const answer = await replay(bot, { since: new Date(clock.now() + 24 * 3600_000).toISOString() });

    expect(answer.body).toEqual({ replayed: 0 });
  });

  it('returns 400 for a bot without a url or an invalid time, and 404 for an unknown bot', async () => {
    const bot = await newBot();

    const answers = [
      await replay(bot, {}),
      await replay(bot, { since: 'yesterday' }),
      await bot.workspace.call('POST', `/bots/${crypto.randomUUID()}/events/replay`, { body: {} }),
    ];

    expect(answers.map(({ status }) => status)).toEqual([400, 400, 404]);
  });
});
