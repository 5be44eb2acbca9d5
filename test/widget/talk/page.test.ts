/** Tests what a page does with a conversation: send messages, set details of the user, and receive events. */
import { randomUUID } from 'node:crypto';
import { describe, expect, it, vi } from 'vitest';
import { chatBaseUrl, install, newBot, newUser, useSharedPlatform } from '#test/support/platform.ts';
import type { Authored } from '#widget/talk/talk.ts';
import { begin, newShelf, newTab, storedIn, texts, until, untilLive, useVisitors, visit } from './visitor.ts';

useSharedPlatform();
useVisitors();

const text = (value: string) => ({ type: 'text' as const, text: value });
const readUser = async (chatUrl: string, key: string) =>
  (await (await fetch(`${chatUrl}/users/me`, { headers: { 'x-user-key': key } })).json()).user;

describe('send', () => {
  it('enters the conversation of a closed chat, and resolves when the message is stored', async () => {
    const { chatUrl } = await install();
    const shelf = newShelf();
    const talk = newTab(chatUrl, { shelf });

    await Promise.all([talk.send(text('one')), talk.send(text('two'))]);

    const { userKey, conversationId } = storedIn(shelf, chatUrl);
    const response = await fetch(`${chatUrl}/conversations/${conversationId}/messages`, {
      headers: { 'x-user-key': userKey! },
    });
    expect((await response.json()).messages.map((each: { payload: object }) => each.payload)).toEqual([
      text('two'),
      text('one'),
    ]);
    expect(texts(talk)).toEqual(['one', 'two']);
  });

  it('resolves after a failure of the network, with one message', async () => {
    const { talk, proxy } = await visit();
    proxy.loseAnswerOf(/^POST \S+\/messages /);

    await talk.send(text('once'));

    await until(() => expect([texts(talk), talk.state.waiting]).toEqual([['once'], []]));
  });

  it('rejects if the chat rejects the message, and if the conversation cannot be entered', async () => {
    const { talk } = await visit();

    await expect(talk.send({ type: 'text', text: 3 } as never)).rejects.toMatchObject({ status: 400 });
    await expect(newTab(`${chatBaseUrl()}/${randomUUID()}`).send(text('x'))).rejects.toMatchObject({ status: 404 });
  });

  it('rejects when the chat is removed before the message is stored', async () => {
    const { talk, proxy } = await visit();
    proxy.cut();
    const sending = talk.send(text('late'));
    const rejected = expect(sending).rejects.toThrow('The conversation ended before the message arrived.');
    await until(() => expect(talk.state.waiting).toHaveLength(1));

    talk.stop();

    await rejected;
    await expect(talk.send(text('later'))).rejects.toThrow('The conversation has ended.');
  });

  it('starts a new conversation after the former one was deleted', async () => {
    const { talk, chatUrl, shelf } = await visit();
    const { conversationId, userKey } = storedIn(shelf, chatUrl);
    await fetch(`${chatUrl}/conversations/${conversationId}`, {
      method: 'DELETE',
      headers: { 'x-user-key': userKey! },
    });
    await until(() => expect(talk.state.phase).toBe('over'));

    await talk.send(text('again'));

    expect(talk.state.conversationId).not.toBe(conversationId);
    expect(texts(talk)).toEqual(['again']);
  });
});

describe('details of the user', () => {
  it('are stored for a guest before the conversation, and merged later', async () => {
    const bot = await newBot();
    const shelf = newShelf();
    const talk = newTab(bot.chatUrl, { shelf, fields: { name: 'Ada' } });
    talk.setUser({ attributes: { plan: 'pro', city: 'Rome' } });
    expect(talk.state.phase).toBe('resting');

    talk.start();
    await untilLive(talk);
    talk.setUser({ pictureUrl: 'https://shop.example.com/ada.png' });
    talk.setUser({ attributes: { city: null, seats: '3' } });

    const { userId } = storedIn(shelf, bot.chatUrl);
    await expect
      .poll(async () => (await bot.client.getUser({ id: userId! })).user)
      .toMatchObject({
        name: 'Ada',
        pictureUrl: 'https://shop.example.com/ada.png',
        attributes: { plan: 'pro', seats: '3' },
      });
  });

  it('are stored for a user with a signed key', async () => {
    const installation = await install();
    const userKey = installation.keyOf('ada');
    const talk = begin(installation.chatUrl, { userKey, fields: { name: 'Ada' } });

    await untilLive(talk);

    expect(await readUser(installation.chatUrl, userKey)).toMatchObject({ id: 'ada', name: 'Ada' });
  });

  it('do not prevent the conversation if the chat rejects them', async () => {
    const warned = vi.spyOn(console, 'warn').mockImplementation(() => {});
    const { chatUrl } = await install();

    const talk = begin(chatUrl, { fields: { name: '\ud800' } });

    await untilLive(talk);
    expect(warned.mock.calls.flat().join()).toContain('The details of the user were not stored');
    warned.mockRestore();
  });

  it('are stored when the network returns', async () => {
    const { talk, chatUrl, shelf, proxy, installation } = await visit();
    proxy.cut();
    talk.setUser({ name: 'Ada' });
    await until(() => expect(talk.state.connection).toBe('lost'));
    proxy.restore();

    talk.wake();

    const { userKey } = storedIn(shelf, chatUrl);
    await expect.poll(() => readUser(installation.chatUrl, userKey!)).toMatchObject({ name: 'Ada' });
  });
});

describe('events of a conversation', () => {
  const heard = () => {
    const messages: Authored[] = [];
    const shown = () =>
      messages.map(({ message, author, authorName }) => [
        (message.payload as { text: string }).text,
        author,
        authorName,
      ]);
    return { onMessage: (each: Authored) => void messages.push(each), shown };
  };

  it('contain each new message with its author, and none of an earlier visit', async () => {
    const bot = await newBot();
    const shelf = newShelf();
    const first = heard();
    const talk = begin(bot.chatUrl, { shelf, onMessage: first.onMessage });
    await untilLive(talk);
    const { conversationId } = storedIn(shelf, bot.chatUrl);
    const sayAsBot = (value: string) =>
      bot.client.createMessage({
        conversationId: conversationId!,
        userId: bot.id,
        tags: {},
        type: 'text',
        payload: { text: value },
      });

    await talk.send(text('Hello'));
    await sayAsBot('Hi');
    await until(() => expect(first.shown()).toHaveLength(2));
    const second = heard();
    const reloaded = begin(bot.chatUrl, { shelf, onMessage: second.onMessage });
    await untilLive(reloaded);
    await sayAsBot('News');

    await until(() => expect(second.shown()).toEqual([['News', 'bot', undefined]]));
    await until(() =>
      expect(first.shown()).toEqual([
        ['Hello', 'user', undefined],
        ['Hi', 'bot', undefined],
        ['News', 'bot', undefined],
      ]),
    );
  });

  it('contain messages that were missed during an interruption, and none that are loaded as earlier ones', async () => {
    const { other, proxy, chatUrl, shelf, talk: before } = await visit();
    for (let i = 0; i < 21; i++) await other.say(`old ${i}`);
    before.stop();
    const { onMessage, shown } = heard();
    const talk = begin(chatUrl, { shelf, onMessage });
    await untilLive(talk);
    await talk.showEarlier();
    proxy.cut();
    await until(() => expect(talk.state.connection).toBe('lost'));
    await other.say('missed');
    proxy.restore();

    await until(() => expect(shown()).toEqual([['missed', 'person', undefined]]));
  });

  it('name the person who writes', async () => {
    const { talk: first, chatUrl, shelf, other, installation } = await visit();
    first.stop();
    const { onMessage, shown } = heard();
    const talk = begin(chatUrl, { shelf, onMessage });
    await untilLive(talk);
    const { conversationId, userKey } = storedIn(shelf, chatUrl);
    const { user, client } = await newUser(installation, { name: 'Grace' });
    await fetch(`${chatUrl}/conversations/${conversationId}/participants`, {
      method: 'POST',
      headers: { 'x-user-key': userKey!, 'content-type': 'application/json' },
      body: JSON.stringify({ userId: user.id }),
    });
    await client.createMessage({ conversationId: conversationId!, payload: text('I am Grace') });
    await other.say('I am nobody');

    await until(() =>
      expect(shown()).toEqual([
        ['I am Grace', 'person', 'Grace'],
        ['I am nobody', 'person', undefined],
      ]),
    );
  });

  it('start with ready, when the conversation was loaded', async () => {
    const { chatUrl } = await install();
    const shelf = newShelf();
    const onReady = vi.fn();

    const talk = begin(chatUrl, { shelf, onReady });
    await untilLive(talk);

    const { userId, conversationId } = storedIn(shelf, chatUrl);
    expect(onReady.mock.calls).toEqual([[{ userId, conversationId }]]);
  });
});
