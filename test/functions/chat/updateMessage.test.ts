import { describe, expect, it } from 'vitest';
import { call, install, newUser, useSharedPlatform } from '#test/support/platform.ts';
import { timelineOf } from '#test/support/tableItems.ts';

useSharedPlatform();

async function setUp(settings: Parameters<typeof install>[0] = {}) {
  const installation = await install(settings);
  const { client, key } = await newUser(installation);
  const { conversation } = await client.createConversation({});
  const { message } = await client.createMessage({
    conversationId: conversation.id,
    payload: { type: 'text', text: 'frist' },
  });
  const update = (body: object, as = key, id = message.id) =>
    call(`${installation.chatUrl}/messages/${id}`, { method: 'PUT', key: as, body });
  return { installation, client, conversation, message, update };
}

const FIRST = { type: 'text', text: 'first' };

describe('PUT /messages/{id}', () => {
  it('replaces the payload and no other field of the message', async () => {
    const { client, message, update } = await setUp();

    const { status, body } = await update({ payload: FIRST });

    expect(status).toBe(200);
    expect(body.message).toEqual({ ...message, payload: FIRST });
    expect((await client.getMessage({ id: message.id })).message).toEqual(body.message);
  });

  it('keeps the position of the message in its list', async () => {
    const { client, conversation, update } = await setUp();
    await client.createMessage({ conversationId: conversation.id, payload: { type: 'text', text: 'second' } });

    await update({ payload: FIRST });

    const { messages } = await client.listMessages({ conversationId: conversation.id });
    expect(messages.map(({ payload }) => 'text' in payload && payload.text)).toEqual(['second', 'first']);
  });

  it('changes payload and metadata separately where the installation has payloadExtensions', async () => {
    const { update } = await setUp({ payloadExtensions: true });

    const first = await update({ metadata: { a: 1 } });
    const second = await update({ payload: FIRST });

    expect(first.body.message).toMatchObject({ payload: { type: 'text', text: 'frist' }, metadata: { a: 1 } });
    expect(second.body.message).toMatchObject({ payload: FIRST, metadata: { a: 1 } });
  });

  it("accepts a payload that exceeds an item's size, and then a short one", async () => {
    const { client, message, update } = await setUp();
    const long = { type: 'text', text: Array.from({ length: 60_000 }, (_, i) => (i * 7919).toString(36)).join(' ') };

    const statuses = [(await update({ payload: long })).status, (await update({ payload: FIRST })).status];

    expect(statuses).toEqual([200, 200]);
    expect((await client.getMessage({ id: message.id })).message.payload).toEqual(FIRST);
  });

  it('appends a signal to the timeline for each update', async () => {
    const { installation, conversation, update } = await setUp();

    await update({ payload: FIRST });
    await update({ payload: FIRST });

    const kinds = (await timelineOf(installation.botId, conversation.id)).map(({ k }) => k);
    expect(kinds).toEqual(['m', 'u', 'u']);
  });

  it.each([
    [{ payload: { type: 'text' } }, 'payload.text'],
    [{ payload: FIRST, metadata: {} }, 'metadata'],
    [{ text: 'first' }, 'text'],
  ])('returns 400 for %j and names the field', async (body, path) => {
    const { update } = await setUp();

    const { status, body: error } = await update(body);

    expect({ status, path: error.metadata.issues[0].path }).toEqual({ status: 400, path });
  });

  it('returns 404 for a message that was deleted', async () => {
    const { client, message, update } = await setUp();
    await client.deleteMessage({ id: message.id });

    expect((await update({ payload: FIRST })).status).toBe(404);
  });
});
