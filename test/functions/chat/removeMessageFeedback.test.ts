import { describe, expect, it } from 'vitest';
import { call, install, newUser, useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();

async function setUp() {
  const installation = await install();
  const { client, key } = await newUser(installation);
  const { conversation } = await client.createConversation({});
  const { message } = await client.createMessage({
    conversationId: conversation.id,
    payload: { type: 'text', text: 't' },
  });
  const feedback = (method: string, body?: object, id = message.id) =>
    call(`${installation.chatUrl}/messages/${id}/feedback`, { method, key, body });
  return { client, message, feedback };
}

describe('DELETE /messages/{id}/feedback', () => {
  it('removes the feedback, and leaves the message as it was', async () => {
    const { client, message, feedback } = await setUp();
    await feedback('PUT', { value: 'negative' });

    const { status, body } = await feedback('DELETE');

    expect({ status, body }).toEqual({ status: 200, body: {} });
    expect((await client.getMessage({ id: message.id })).message).toEqual(message);
  });

  it('returns 200 for a message without feedback', async () => {
    const { feedback } = await setUp();

    expect((await feedback('DELETE')).status).toBe(200);
  });

  it('returns 404 for a message that was deleted', async () => {
    const { client, message, feedback } = await setUp();
    await client.deleteMessage({ id: message.id });

    expect((await feedback('DELETE')).status).toBe(404);
  });
});
