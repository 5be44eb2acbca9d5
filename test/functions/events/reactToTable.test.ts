/** Tests the stream consumer with redelivered, late and failed batches. */
import { marshall } from '@aws-sdk/util-dynamodb';
import type { DynamoDBRecord } from 'aws-lambda';
import { describe, expect, it } from 'vitest';
import { reactToTable } from '#functions/events/reactToTable.ts';
import { lambdaContext } from '#infra/local/runtime/lambdaContext.ts';
import { clock } from '#shared/core/clock.ts';
import { encodeTime } from '#shared/core/ids.ts';
import { readItem } from '#shared/storage/dynamodb/engine/query.ts';
import { conversationKey, timelineKey } from '#shared/storage/dynamodb/keys/chat.ts';
import { install, newUser, useSharedPlatform } from '#test/support/platform.ts';
import { SOMEONE } from '#test/support/tableItems.ts';

useSharedPlatform();

const react = (...Records: DynamoDBRecord[]) => reactToTable.handle({ Records }, lambdaContext('reactToTable', 60_000));

let sequence = 10n ** 24n;
const nextSequence = () => String(++sequence);

/** The stream record of a message. @param SequenceNumber greater than the earlier ones, unless it is repeated */
const said = (
  botId: string,
  conversationId: string,
  atMs: number,
  { SequenceNumber = nextSequence(), userId = SOMEONE } = {},
): DynamoDBRecord => {
  const Keys = marshall(timelineKey(botId, conversationId, `${encodeTime(atMs)}000`));
  const NewImage = marshall({ ...timelineKey(botId, conversationId, `${encodeTime(atMs)}000`), k: 'm', u: userId });
  return { eventName: 'INSERT', dynamodb: { Keys, SequenceNumber, NewImage } as never };
};

async function conversation() {
  const installation = await install();
  const { client } = await newUser(installation);
  const { id } = (await client.createConversation({})).conversation;
  const updatedAt = async () => Date.parse((await client.getConversation({ id })).conversation.updatedAt);
  return { client, id, botId: installation.botId, updatedAt };
}

describe('the reaction to a message', () => {
  it('is idempotent', async () => {
    const { botId, id, updatedAt } = await conversation();
    const at = clock.now() + 60_000;

    const record = said(botId, id, at);
    await react(record);
    await react(record);

    expect(await updatedAt()).toBe(at);
  });

  it('never moves a conversation back in a list when it is late', async () => {
    const { botId, id, updatedAt } = await conversation();
    const at = clock.now() + 60_000;

    await react(said(botId, id, at));
    await react(said(botId, id, at - 5_000));

    expect(await updatedAt()).toBe(at);
  });

  it('uses the latest message of a batch, in any order', async () => {
    const { botId, id, updatedAt } = await conversation();
    const at = clock.now() + 60_000;

    await react(said(botId, id, at - 1), said(botId, id, at), said(botId, id, at - 2));

    expect(await updatedAt()).toBe(at);
  });

  it('does not revive a deleted conversation', async () => {
    const { client, botId, id } = await conversation();
    await client.deleteConversation({ id });

    await react(said(botId, id, clock.now() + 60_000));

    await expect(client.getConversation({ id })).rejects.toThrow('was not found');
    expect((await client.listConversations({})).conversations).toEqual([]);
  });
});

it('starts no sweep after a conversation update', async () => {
  const { client, botId, id } = await conversation();
  const { message } = await client.createMessage({ conversationId: id, payload: { type: 'text', text: 't' } });
  const item = await readItem(conversationKey(botId, id));
  const image = (fields: object) => marshall({ ...item, ...fields }) as never;

  await react({
    eventName: 'MODIFY',
    dynamodb: {
      SequenceNumber: nextSequence(),
      Keys: marshall(conversationKey(botId, id)) as never,
      OldImage: image({ updatedAtMs: 1 }),
      NewImage: image({ updatedAtMs: 2 }),
    },
  });

  expect((await client.getMessage({ id: message.id })).message).toEqual(message);
});
