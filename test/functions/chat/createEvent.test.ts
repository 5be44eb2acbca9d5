import { describe, expect, it } from 'vitest';
import { call, install, newUser, useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();

async function conversation() {
  const installation = await install();
  const user = await newUser(installation, { id: 'ada' });
  await user.client.createConversation({ id: 'c' });
  return {
    ...user,
    post: (body: unknown) => call(`${installation.chatUrl}/events`, { method: 'POST', key: user.key, body }),
  };
}

describe('POST /events', () => {
  it('returns 201 with the event and its payload', async () => {
    const { post, client } = await conversation();
    const payload = { zeta: [1, { deep: null }], alpha: 'ä', '': 0 };

    const { status, body } = await post({ conversationId: 'c', payload });

    expect(status).toBe(201);
    expect(body).toEqual({
      event: {
        id: expect.stringMatching(/^evt_[0-9A-Za-z]{32}$/),
        createdAt: expect.any(String),
        payload,
        conversationId: 'c',
        userId: 'ada',
      },
    });
    expect((await client.getEvent({ id: body.event.id })).event).toEqual(body.event);
  });

  it('ignores unknown properties, so that newer clients keep working', async () => {
    const { post } = await conversation();

    expect((await post({ conversationId: 'c', payload: {}, newer: true })).status).toBe(201);
  });

  it.each([
    [{ conversationId: 'c' }, 'payload'],
    [{ conversationId: 'c', payload: 'text' }, 'payload'],
    [{ conversationId: 'c', payload: [1] }, 'payload'],
    [{ payload: {} }, 'conversationId'],
  ])('returns 400 for %j', async (body, path) => {
    const { post } = await conversation();

    const answer = await post(body);

    expect({ status: answer.status, path: answer.body.metadata.issues[0].path }).toEqual({ status: 400, path });
  });
});
