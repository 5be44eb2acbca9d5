import { marshall } from '@aws-sdk/util-dynamodb';
import type { AttributeValue, DynamoDBRecord } from 'aws-lambda';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { sweepDeleted } from '#functions/events/sweepDeleted.ts';
import { clock } from '#shared/core/clock.ts';
import { keepChange, keepJob } from '#shared/events/consumers/keepDeadLetter.ts';
import { readItem } from '#shared/storage/dynamodb/engine/query.ts';
import { parseStreamChange } from '#shared/storage/dynamodb/engine/streamChange.ts';
import { botPk, botSk } from '#shared/storage/dynamodb/keys/workspace.ts';
import type { DeadLetter } from '#shared/storage/dynamodb/maintenance/deadLetters.ts';
import { putObject } from '#shared/storage/s3/objects.ts';
import { breakCounting, deadLettersOf } from '#test/support/deadLetters.ts';
import {
  eventually,
  isLeftOut,
  newBot,
  newUser,
  settled,
  type TestBot,
  useSharedPlatform,
} from '#test/support/platform.ts';

useSharedPlatform();

afterEach(() => vi.restoreAllMocks());

const messagesOf = async ({ id, workspace }: TestBot) => {
  const day = new Date(clock.now()).toISOString().slice(0, 10);
  const { records } = await workspace.owner.client.getBotAnalytics({ id, startDate: day, endDate: day });
  return records.reduce((sum, { userMessages }) => sum + userMessages, 0);
};

describe.skipIf(isLeftOut('faults'))('POST /v1/admin/bots/{id}/parked/redrive', () => {
  it('processes dead letters again once the failure is fixed', async () => {
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

  it("counts a dead letter's message once, even after later messages", async () => {
    const bot = await newBot();
    const { client } = await newUser(bot);
    const { conversation } = await client.createConversation({});
    const say = () =>
      client.createMessage({ conversationId: conversation.id, payload: { type: 'text', text: 'Hello' } });
    breakCounting(bot.id);
    await say();
    await eventually(async () => expect(await deadLettersOf(bot.id)).toHaveLength(1));
    vi.restoreAllMocks();
    await say();
    await eventually(async () => expect(await messagesOf(bot)).toBe(1));

    const redrive = () => bot.workspace.call('POST', `/bots/${bot.id}/parked/redrive`, { body: {} });
    await Promise.all([redrive(), redrive()]);

    await eventually(async () => expect(await deadLettersOf(bot.id)).toEqual([]));
    await settled();
    expect(await messagesOf(bot)).toBe(2);
  });

  it("counts a dead letter's row once, even after later rows", async () => {
    const bot = await newBot();
    const { table } = await bot.client.createTable({ name: 'peopleTable', schema: { name: 'Ada' } });
    const add = () => bot.client.createTableRows({ table: table.id, rows: [{ name: 'Ada' }] });
    const rows = async () => (await bot.callTables('GET', `/${table.id}`)).body.rows;
    breakCounting(bot.id, table.id);
    await add().catch(() => {});
    await eventually(async () => expect(await deadLettersOf(bot.id)).toMatchObject([{ task: 'countRows' }]));
    vi.restoreAllMocks();
    await add();
    await eventually(async () => expect(await rows()).toBe(1));

    await bot.workspace.call('POST', `/bots/${bot.id}/parked/redrive`, { body: {} });

    await eventually(async () => expect(await deadLettersOf(bot.id)).toEqual([]));
    await settled();
    expect(await rows()).toBe(2);
  });

  it.each([
    ['redrives a change under the former name of its reaction', 'followCode'],
    ['keeps a change whose reaction no longer exists', 'unknown'],
  ])('%s', async (_, task) => {
    const bot = await newBot();
    const key = { pk: botPk(bot.id), sk: botSk };
    const image = marshall(await readItem(key)) as Record<string, AttributeValue>;
    const record: DynamoDBRecord = {
      eventName: 'MODIFY',
      dynamodb: {
        Keys: marshall(key) as Record<string, AttributeValue>,
        OldImage: image,
        NewImage: image,
        SequenceNumber: '1',
        ApproximateCreationDateTime: clock.now() / 1000,
      },
    };
    const change = parseStreamChange(record);
    await keepChange({ consumer: 'reactToTable', reaction: task, record, change, error: 'x' });

    await bot.workspace.call('POST', `/bots/${bot.id}/parked/redrive`, { body: {} });

    const kept = task === 'unknown' ? [expect.objectContaining({ task, failures: 1 })] : [];
    await eventually(async () => expect(await deadLettersOf(bot.id)).toEqual(kept));
  });

  it('keeps a job that its queue rejects, and continues the batch', async () => {
    const bot = await newBot();
    const body = `{"botId":"${bot.id}"}`;
    await keepJob({ consumer: 'sweepDeleted', queue: 'sweeps', body, group: undefined, error: 'x' });
    const [{ object, id }] = (await deadLettersOf(bot.id)) as [DeadLetter];
    const content = { kind: 'job', queue: 'sweeps', body: 'no JSON' };
    await putObject(object, Buffer.from(JSON.stringify(content)));

    await bot.workspace.call('POST', `/bots/${bot.id}/parked/redrive`, { body: {} });

    await eventually(async () => expect(await deadLettersOf(bot.id)).toMatchObject([{ id, failures: 1 }]));
  });

  it('returns the job of a dead letter to its queue', async () => {
    const bot = await newBot();
    const jobs: unknown[] = [];
    vi.spyOn(sweepDeleted, 'handle').mockImplementation(async ({ Records }) => {
      // Includes changes of other tests' bots.
      jobs.push(...Records.map(({ body }) => JSON.parse(body)).filter(({ botId }) => botId === bot.id));
    });
    const job = { kind: 'table', botId: bot.id, tableId: 'none', isSecondPass: true };
    await keepJob({
      consumer: 'sweepDeleted',
      queue: 'sweeps',
      body: JSON.stringify(job),
      group: undefined,
      error: 'x',
    });

    await bot.workspace.call('POST', `/bots/${bot.id}/parked/redrive`, { body: {} });

    await eventually(async () => expect(jobs).toEqual([job]));
    await eventually(async () => expect(await deadLettersOf(bot.id)).toEqual([]));
  });
});
