import { describe, expect, it } from 'vitest';
import { call, eventually, install, newUser, useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();

describe('GET /conversations', () => {
  it('lists all conversations of the caller, newest activity first', async () => {
    const installation = await install();
    const [owner, guest] = [await newUser(installation), await newUser(installation)];
    await owner.client.createConversation({ id: 'theirs' });
    await owner.client.createConversation({ id: 'not-theirs' });
    await owner.client.addParticipant({ conversationId: 'theirs', userId: guest.user.id });
    await guest.client.createConversation({ id: 'guests' });
    await owner.client.createMessage({ conversationId: 'theirs', payload: { type: 'text', text: 'up' } });

    await eventually(async () => {
      const { conversations } = await guest.client.listConversations({});
      expect(conversations.map(({ id }) => id)).toEqual(['theirs', 'guests']);
    });
  });

  it('pages through all conversations without repetition', async () => {
    const { client } = await newUser(await install());
    const created: string[] = [];
    for (let i = 0; i < 45; i++) created.push((await client.createConversation({})).conversation.id);

    const listed: string[] = [];
    const sizes: number[] = [];
    let nextToken: string | undefined;
    do {
      const page = await client.listConversations({ nextToken });
      listed.push(...page.conversations.map(({ id }) => id));
      sizes.push(page.conversations.length);
      nextToken = page.meta.nextToken;
    } while (nextToken);

    expect(sizes).toEqual([20, 20, 5]);
    expect(listed).toEqual(created.reverse());
  });

  it('returns an empty meta on the last page, even when full', async () => {
    const installation = await install();
    const { client, key } = await newUser(installation);
    for (let i = 0; i < 20; i++) await client.createConversation({});

    const { body } = await call(`${installation.chatUrl}/conversations`, { key });

    expect({ count: body.conversations.length, meta: body.meta }).toEqual({ count: 20, meta: {} });
  });

  it('returns an empty list to a user without conversations', async () => {
    const { client } = await newUser(await install());

    expect(await client.listConversations({})).toEqual({ conversations: [], meta: {} });
  });
});
