import { afterEach, describe, expect, it, vi } from 'vitest';
import { sweepDeleted } from '#functions/events/sweepDeleted.ts';
import { parkJob } from '#shared/consumers/park.ts';
import { documents } from '#shared/dynamodb/client.ts';
import type { Parked } from '#shared/dynamodb/parked.ts';
import { putObject } from '#shared/s3/objects.ts';
import { parkedOf } from '#test/support/parked.ts';
import { eventually, isLeftOut, newBot, newUser, type TestBot, usePlatform } from '#test/support/platform.ts';

usePlatform();

afterEach(() => vi.restoreAllMocks());

/** Makes the counting of one bot's messages fail, until the mocks are restored. */
function breakCounting(botId: string): void {
  const send = documents.send.bind(documents) as (command: { input: object }, ...rest: unknown[]) => unknown;
  vi.spyOn(documents, 'send').mockImplementation(((command: { input: object }, ...rest: unknown[]) =>
    'TransactItems' in command.input && JSON.stringify(command.input).includes(`${botId}#analytics`)
      ? Promise.reject(new Error('No counting today.'))
      : send(command, ...rest)) as never);
}

const messagesOf = async ({ id, workspace }: TestBot) => {
  const day = new Date().toISOString().slice(0, 10);
  const { records } = await workspace.owner.client.getBotAnalytics({ id, startDate: day, endDate: day });
  return records.reduce((sum, { userMessages }) => sum + userMessages, 0);
};

describe.skipIf(isLeftOut('faults'))('POST /v1/admin/bots/{id}/parked/redrive', () => {
  it('by a member processes again what is parked, once the fault is mended', async () => {
    const bot = await newBot();
    const { client } = await newUser(bot);
    const { conversation } = await client.createConversation({});
    const parked = async () => (await bot.workspace.call('GET', `/bots/${bot.id}/parked`)).body.parked;
    const redrive = () => bot.workspace.call('POST', `/bots/${bot.id}/parked/redrive`, { body: {} });

    breakCounting(bot.id);
    await client.createMessage({ conversationId: conversation.id, payload: { type: 'text', text: 'Hello' } });
    await eventually(async () =>
      expect(await parked()).toEqual([expect.objectContaining({ task: 'countActivity', error: 'Error', failures: 0 })]),
    );
    expect(await messagesOf(bot)).toBe(0);

    expect((await redrive()).body).toEqual({ redriven: 1 });
    await eventually(async () => expect(await parked()).toEqual([expect.objectContaining({ failures: 1 })]));

    vi.restoreAllMocks();
    await redrive();
    await eventually(async () => expect(await parked()).toEqual([]));
    expect(await messagesOf(bot)).toBe(1);
  });

  it('keeps a job parked that its queue cannot take, and the batch goes on', async () => {
    const bot = await newBot();
    const body = `{"botId":"${bot.id}"}`;
    await parkJob({ consumer: 'sweepDeleted', queue: 'sweeps', body, group: undefined, error: 'x' });
    const [{ object, id }] = (await parkedOf(bot.id)) as [Parked];
    const content = { kind: 'job', queue: 'sweeps', body: 'no JSON' };
    await putObject(object, Buffer.from(JSON.stringify(content)));

    await bot.workspace.call('POST', `/bots/${bot.id}/parked/redrive`, { body: {} });

    await eventually(async () => expect(await parkedOf(bot.id)).toMatchObject([{ id, failures: 1 }]));
  });

  it('sends a parked job to its queue again', async () => {
    const bot = await newBot();
    const jobs: unknown[] = [];
    vi.spyOn(sweepDeleted, 'handle').mockImplementation(async ({ Records }) => {
      jobs.push(...Records.map(({ body }) => JSON.parse(body)));
    });
    const job = { kind: 'table', botId: bot.id, tableId: 'none', isSecondPass: true };
    await parkJob({
      consumer: 'sweepDeleted',
      queue: 'sweeps',
      body: JSON.stringify(job),
      group: undefined,
      error: 'x',
    });

    await bot.workspace.call('POST', `/bots/${bot.id}/parked/redrive`, { body: {} });

    await eventually(async () => expect(jobs).toEqual([job]));
    await eventually(async () => expect(await parkedOf(bot.id)).toEqual([]));
  });
});
