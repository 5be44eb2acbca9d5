/** Tests that a change or job that always fails becomes a dead letter without delaying others. */
import { marshall } from '@aws-sdk/util-dynamodb';
import type { DynamoDBRecord } from 'aws-lambda';
import { afterEach, describe, expect, it, vi } from 'vitest';
import * as z from 'zod/mini';
import { lambdaContext } from '#infra/local/runtime/lambdaContext.ts';
import { queueConsumer, streamConsumer } from '#shared/events/consumers/consumer.ts';
import { changed } from '#shared/events/consumers/filters.ts';
import { keepJob } from '#shared/events/consumers/keepDeadLetter.ts';
import { conversationKey } from '#shared/storage/dynamodb/keys/chat.ts';
import { QUEUES } from '#shared/storage/queues/queueSettings.ts';
import { getObject } from '#shared/storage/s3/objects.ts';
import { deadLettersOf } from '#test/support/deadLetters.ts';
import { eventually, newBot, usePlatform } from '#test/support/platform.ts';

usePlatform();

afterEach(() => vi.restoreAllMocks());

const context = lambdaContext('test', 60_000);
let sequence = 10n ** 24n;

function created(botId: string, id: string): DynamoDBRecord {
  const key = conversationKey(botId, id);
  const image = marshall({ ...key, id }) as never;
  return {
    eventName: 'INSERT',
    dynamodb: { SequenceNumber: String(++sequence), Keys: marshall(key) as never, NewImage: image },
  };
}

/** Creates a consumer with one reaction, which fails for ids that start with `bad`. */
function picky(seen: string[], groupBy?: () => string) {
  return streamConsumer({
    name: 'picky',
    summary: '',
    table: 'reads',
    reactions: [
      {
        name: 'pick',
        on: [changed('conversation')],
        ...(groupBy ? { groupBy } : {}),
        handle: async changes => {
          if (changes.some(({ id }) => id.startsWith('bad'))) throw new Error('I am picky.');
          seen.push(...changes.map(({ id }) => id));
        },
      },
    ],
  });
}

describe('a change that a reaction cannot handle', () => {
  it('becomes a dead letter with its images and its error, and the batch continues', async () => {
    const { id: botId } = await newBot();
    const seen: string[] = [];

    await picky(seen).handle({ Records: ['a', 'bad', 'b'].map(id => created(botId, id)) }, context);

    expect(seen.sort()).toEqual(['a', 'b']);
    const [letter, ...others] = await deadLettersOf(botId);
    expect(others).toEqual([]);
    expect(letter).toMatchObject({
      consumer: 'picky',
      task: 'pick',
      about: `${botId}#bad conversation`,
      error: 'Error: I am picky.',
    });
    const content = JSON.parse(Buffer.from(await getObject(letter!.object)).toString());
    expect(content.record.dynamodb.NewImage.id).toEqual({ S: 'bad' });
    expect(content.error.stack).toContain('isolation.test.ts');
  });

  it('does not affect other changes of its group', async () => {
    const { id: botId } = await newBot();
    const seen: string[] = [];

    await picky(seen, () => botId).handle({ Records: ['a', 'bad', 'b'].map(id => created(botId, id)) }, context);

    expect(seen).toEqual(['a', 'b']);
    expect(await deadLettersOf(botId)).toHaveLength(1);
  });

  it('becomes one dead letter when its batch is redelivered', async () => {
    const { id: botId } = await newBot();
    const event = { Records: [created(botId, 'bad')] };

    await picky([]).handle(event, context);
    await picky([]).handle(event, context);

    expect(await deadLettersOf(botId)).toHaveLength(1);
  });

  it('fails its batch only when its dead letter cannot be stored either', async () => {
    const { id: botId } = await newBot();
    const objects = await import('#shared/storage/s3/objects.ts');
    vi.spyOn(objects.s3, 'send').mockRejectedValue(new Error('The object store is out of reach.') as never);

    await expect(picky([]).handle({ Records: [created(botId, 'bad')] }, context)).rejects.toThrow('out of reach');
  });
});

it('processes the tenants of a batch round-robin', async () => {
  const [{ id: busy }, { id: quiet }] = [await newBot(), await newBot()];
  const seen: string[] = [];
  const many = Array.from({ length: 400 }, (_, i) => created(busy, `busy ${i}`));

  await picky(seen).handle({ Records: [...many, created(quiet, 'quiet')] }, context);

  expect(seen).toHaveLength(401);
  expect(seen.indexOf('quiet')).toBeLessThan(2);
});

describe('a job that always fails', () => {
  const failing = (queue: 'sweeps') =>
    queueConsumer({
      name: 'failing',
      summary: '',
      queue,
      table: 'reads',
      job: z.object({ botId: z.string() }),
      run: async () => {
        throw new Error('Never.');
      },
    });
  const record = (body: unknown, attempt: number) => ({
    Records: [
      {
        body: typeof body === 'string' ? body : JSON.stringify(body),
        receiptHandle: 'none',
        attributes: { ApproximateReceiveCount: String(attempt) },
      } as never,
    ],
  });

  it('returns to its queue until the last attempt, and then becomes a dead letter', async () => {
    const { id: botId } = await newBot();
    const { handle } = failing('sweeps');

    await expect(handle(record({ botId }, 1), context)).rejects.toThrow('Never.');
    expect(await deadLettersOf(botId)).toEqual([]);
    await handle(record({ botId }, QUEUES.sweeps.maxReceives), context);

    expect(await deadLettersOf(botId)).toMatchObject([{ task: 'sweeps', error: 'Error: Never.' }]);
  });

  it('becomes a dead letter immediately if it is not a job of this queue', async () => {
    const { id: botId } = await newBot();

    await failing('sweeps')
      .handle(record({ botId, kind: 1, extra: true }, 1), context)
      .catch(() => {});
    await failing('sweeps').handle(record('no JSON', 1), context);

    expect((await deadLettersOf('platform')).map(({ task }) => task)).toContain('sweeps');
  });
});

it('deletes dead letters with their bot', async () => {
  const bot = await newBot();
  const body = JSON.stringify({ botId: bot.id });
  await keepJob({ consumer: 'failing', queue: 'sweeps', body, group: undefined, error: 'x' });

  await bot.workspace.owner.client.deleteBot({ id: bot.id });

  await eventually(async () => expect(await deadLettersOf(bot.id)).toEqual([]));
});
