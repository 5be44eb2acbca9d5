import { describe, expect, it } from 'vitest';
import { crowds, install, newUser, useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();

async function conversation() {
  const { client, user, key } = await newUser(await install());
  await client.createConversation({ id: 'c' });
  const say = async (text: string) =>
    (await client.createMessage({ conversationId: 'c', payload: { type: 'text', text } })).message.id;
  const pages = async () => {
    const found: string[][] = [];
    let nextToken: string | undefined;
    do {
      const page = await client.listMessages({ conversationId: 'c', nextToken });
      found.push(page.messages.map(({ id }) => id));
      nextToken = page.meta.nextToken;
    } while (nextToken);
    return found;
  };
  return { client, user, key, say, pages };
}

describe('GET /conversations/{conversationId}/messages', () => {
  it('lists messages newest first in pages of 20, the last without a nextToken', async () => {
    const { say, pages } = await conversation();
    const said: string[] = [];
    for (let i = 0; i < 40; i++) said.unshift(await say(`${i}`));

    expect(await pages()).toEqual([said.slice(0, 20), said.slice(20)]);
  });

  it('neither repeats nor skips a message when others are written and deleted between pages', async () => {
    const { client, say } = await conversation();
    const said: string[] = [];
    for (let i = 0; i < 30; i++) said.unshift(await say(`${i}`));

    const first = await client.listMessages({ conversationId: 'c' });
    await say('new');
    await client.deleteMessage({ id: first.messages.at(-1)!.id });
    const second = await client.listMessages({ conversationId: 'c', nextToken: first.meta.nextToken });

    expect(second.messages.map(({ id }) => id)).toEqual(said.slice(20));
  });

  it('skips any number of events and participant changes', async () => {
    const { client, say, pages } = await conversation();
    const oldest = await say('first');
    await crowds(100, () => client.createEvent({ conversationId: 'c', payload: {} }));
    const newest = await say('last');

    expect((await pages()).flat()).toEqual([newest, oldest]);
  });

  it('ends a page before it exceeds the response limit of a Lambda', async () => {
    const { say, pages } = await conversation();
    const said: string[] = [];
    for (let i = 0; i < 6; i++) said.unshift(await say('"'.repeat(450_000)));

    const found = await pages();

    expect(found.flat()).toEqual(said);
    expect(found.length).toBeGreaterThan(1);
  });
});
