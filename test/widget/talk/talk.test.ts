/** Tests a conversation of the widget with the platform over an unreliable network. */
import { randomUUID } from 'node:crypto';
import { describe, expect, it, vi } from 'vitest';
import { startCuttingProxy } from '#test/support/cuttingProxy.ts';
import { startEndpoint } from '#test/support/endpoint.ts';
import { handoffsOf } from '#test/support/handoffs.ts';
import { apiBaseUrl, chatBaseUrl, install, newBot, useSharedPlatform } from '#test/support/platform.ts';
import { Memory } from '#widget/talk/memory.ts';
import {
  began,
  begin,
  conversationOf,
  newShelf,
  remove,
  texts,
  until,
  untilLive,
  useVisitors,
  visit,
} from './visitor.ts';

useSharedPlatform();
useVisitors();

/** Returns the URL of a chat that is not installed. */
const absentChat = () => `${chatBaseUrl()}/${randomUUID()}`;

describe('a conversation of the widget', () => {
  it('receives and sends messages once and in order', async () => {
    const { talk, other } = await visit();
    talk.say({ type: 'text', text: 'one' });
    talk.say({ type: 'text', text: 'two' });
    await until(() => expect(talk.state.waiting).toEqual([]));
    await other.say('three');

    await until(() => expect(texts(talk)).toEqual(['one', 'two', 'three']));
  });

  it('neither loses nor duplicates messages while disconnected', async () => {
    const { talk, other, proxy } = await visit();
    await other.say('before');
    proxy.cut();
    await until(() => expect(talk.state.connection).toBe('lost'));
    for (let i = 0; i < 23; i++) await other.say(`away ${i}`);
    talk.say({ type: 'text', text: 'mine' });
    proxy.restore();

    await until(() => expect(texts(talk)).toHaveLength(25));
    expect(texts(talk).toSorted()).toEqual(
      ['before', 'mine', ...Array.from({ length: 23 }, (_, i) => `away ${i}`)].toSorted(),
    );
    expect(talk.state.waiting).toEqual([]);
  });

  it('sends unconfirmed messages once after a reload', async () => {
    const { talk, shelf, proxy, chatUrl, other } = await visit();
    await other.say('before');
    await until(() => expect(texts(talk)).toEqual(['before']));
    proxy.loseAnswerOf(/^POST \S+\/messages /);
    talk.say({ type: 'text', text: 'arrived' });
    talk.say({ type: 'text', text: 'waits' });
    proxy.cut();
    talk.stop();
    const tabs = [begin(chatUrl, { shelf }), begin(chatUrl, { shelf })] as const;
    proxy.restore();

    for (const tab of tabs) {
      await untilLive(tab);
      await until(() => expect([texts(tab), tab.state.waiting]).toEqual([['before', 'arrived', 'waits'], []]));
    }
    expect(new Memory(chatUrl, shelf).read().unsent).toBeUndefined();
  });

  it('does not send unsent messages a day later', async () => {
    const { talk, shelf, proxy, chatUrl } = await visit();
    proxy.cut();
    talk.say({ type: 'text', text: 'late' });
    talk.stop();
    const memory = new Memory(chatUrl, shelf);
    memory.write({ unsent: memory.read().unsent!.map(each => ({ ...each, saidMs: Date.now() - 24 * 3_600_000 })) });
    proxy.restore();

    const later = begin(chatUrl, { shelf });
    await untilLive(later);
    later.say({ type: 'text', text: 'new' });
    await until(() => expect([texts(later), later.state.waiting]).toEqual([['new'], []]));
  });

  it('sends a message once despite a retry after a lost response', async () => {
    const { talk, proxy } = await visit();
    const isLost = proxy.loseAnswerOf(/^POST \S+\/messages /);
    talk.say({ type: 'text', text: 'once' });
    await until(() => expect(isLost()).toBe(true));
    await until(() => expect(talk.state.waiting).toEqual([]));
    talk.say({ type: 'text', text: 'then' });

    await until(() => expect(texts(talk)).toEqual(['once', 'then']));
  });

  it('marks a message that the bot could not process, even after a reload, and sends it again', async () => {
    let isFailing = true;
    const endpoint = await startEndpoint(({ operation }, response) => {
      response.writeHead(operation === 'event_received' && isFailing ? 422 : 200).end('{}');
    });
    began.push(endpoint);
    const bot = await newBot();
    await bot.workspace.owner.client.updateBot({ id: bot.id, url: endpoint.url });
    const shelf = newShelf();
    const talk = begin(bot.chatUrl, { shelf });
    await untilLive(talk);
    talk.say({ type: 'text', text: 'bad' });
    await until(() => expect(talk.state.failedIds).toEqual([talk.state.messages[0]!.id]));

    const next = begin(bot.chatUrl, { shelf });
    await until(() => expect(next.state).toMatchObject({ connection: 'live', failedIds: talk.state.failedIds }));
    isFailing = false;
    next.sayAgain(next.state.failedIds[0]!);

    const received = () => endpoint.events().filter(({ type }) => type === 'message_created');
    await until(() => expect(received()).toHaveLength(2));
    await until(() => expect([texts(next), next.state.failedIds]).toEqual([['bad', 'bad'], []]));
  });

  it('updates a reply while the bot generates it', async () => {
    const bot = await newBot();
    const shelf = newShelf();
    const talk = begin(bot.chatUrl, { shelf });
    await untilLive(talk);
    const shown = new Set<string>();
    talk.watch(() => shown.add(texts(talk).join('|')));
    const conversationId = conversationOf(shelf, bot.chatUrl);
    const { message } = await bot.client.createMessage({
      conversationId,
      userId: bot.id,
      tags: {},
      type: 'text',
      payload: { text: 'One' },
    });
    for (const text of ['One two', 'One two three']) {
      await until(() => expect(texts(talk)).toHaveLength(1));
      await bot.client.updateMessage({ id: message.id, tags: {}, payload: { text } });
      await until(() => expect(texts(talk)).toEqual([text]));
    }

    expect([...shown].filter(Boolean)).toEqual(['One', 'One two', 'One two three']);
  });

  it('resumes after a reload, and counts unread messages', async () => {
    const { talk, other, shelf, chatUrl } = await visit();
    await other.say('seen');
    await until(() => expect(talk.state.unread).toBe(1));
    talk.see(true);
    expect(talk.state.unread).toBe(0);
    talk.stop();
    await other.say('unseen');

    const next = begin(chatUrl, { shelf });

    await until(() => expect(texts(next)).toEqual(['seen', 'unseen']));
    expect(next.state).toMatchObject({ unread: 1, userId: talk.state.userId });
  });

  it('shows the assignee, even after a reload', async () => {
    const bot = await newBot();
    const ada = await bot.workspace.join('agent');
    await ada.client.updateAccount({ displayName: 'Ada' });
    const member = (path: string, body: unknown = {}) =>
      bot.call('POST', `/handoffs/${path}`, { token: ada.token, body });
    const shelf = newShelf();
    const talk = begin(bot.chatUrl, { shelf });
    await untilLive(talk);

    const { body: waiting } = await handoffsOf(bot).start(conversationOf(shelf, bot.chatUrl));
    await until(() => expect(talk.state.handoff).toEqual({ status: 'waiting' }));
    const { id } = waiting.handoff;
    const { body: served } = await member(`${id}/assign`);
    const { userId } = served.handoff.member;
    await until(() => expect(talk.state.handoff).toEqual({ status: 'served', userId }));
    await until(() => expect(talk.state.people.get(userId)).toMatchObject({ name: 'Ada' }));
    await member(`${id}/typing`);
    await until(() => expect(talk.state.isOtherTyping).toBe(true));
    await member(`${id}/messages`, { type: 'text', payload: { text: 'Hello' } });
    await until(() => expect(talk.state.messages).toMatchObject([{ userId, payload: { text: 'Hello' } }]));
    talk.say({ type: 'text', text: 'Hi' });
    await until(() => expect(texts(talk)).toEqual(['Hello', 'Hi']));
    expect(talk.state.readId).toBe('');
    await bot.call('PUT', `/handoffs/${id}/read`, {
      token: ada.token,
      body: { messageId: talk.state.messages[1]!.id },
    });
    await until(() => expect(talk.state.readId).toBe(talk.state.messages[1]!.id));

    const next = begin(bot.chatUrl, { shelf });
    await until(() => expect(next.state.handoff).toEqual({ status: 'served', userId }));
    await until(() => expect(next.state.people.get(userId)).toMatchObject({ name: 'Ada' }));
    expect(next.state.readId).toBe(talk.state.readId);
    await handoffsOf(bot, ada.token).end(id);
    await until(() => expect([talk.state.handoff, next.state.handoff]).toEqual([undefined, undefined]));
  });

  it('shows that the member left, after an interruption', async () => {
    const bot = await newBot();
    const proxy = await startCuttingProxy(apiBaseUrl());
    began.push(proxy);
    const chatUrl = bot.chatUrl.replace(apiBaseUrl(), proxy.origin);
    const shelf = newShelf();
    const talk = begin(chatUrl, { shelf });
    await untilLive(talk);
    const { body } = await handoffsOf(bot).start(conversationOf(shelf, chatUrl));
    await until(() => expect(talk.state.handoff).toEqual({ status: 'waiting' }));

    proxy.cut();
    await until(() => expect(talk.state.connection).toBe('lost'));
    await handoffsOf(bot).end(body.handoff.id);
    proxy.restore();

    await until(() => expect(talk.state.handoff).toBeUndefined());
  });

  it('restarts after the stored conversation or user was deleted', async () => {
    const visited = await visit();
    const { talk, shelf, chatUrl } = visited;
    talk.stop();
    const { userKey } = new Memory(chatUrl, shelf).read();
    const before = conversationOf(shelf, chatUrl);
    await remove(visited, `/conversations/${before}`);
    const next = begin(chatUrl, { shelf });
    await until(() => expect(conversationOf(shelf, chatUrl)).not.toBe(before));
    await untilLive(next);
    expect(next.state.userId).toBe(talk.state.userId);
    next.stop();

    new Memory(chatUrl, shelf).write({ userKey: `${userKey}x`, conversationId: undefined });
    const another = begin(chatUrl, { shelf });

    await untilLive(another);
    expect(another.state.userId).not.toBe(talk.state.userId);
  });

  it('continues on another device for an identified user, and does not store their key', async () => {
    const installation = await install();
    const userKey = installation.keyOf('ada');
    const shelf = newShelf();
    const first = begin(installation.chatUrl, { userKey, shelf });
    await untilLive(first);
    first.say({ type: 'text', text: 'here' });
    await until(() => expect(first.state.waiting).toEqual([]));
    expect(new Memory(installation.chatUrl, shelf).read().userKey).toBeUndefined();

    const elsewhere = begin(installation.chatUrl, { userKey });

    await until(() => expect(texts(elsewhere)).toEqual(['here']));
  });

  it('uploads a file once the conversation exists, and reports a failure', async () => {
    const { chatUrl } = await install();
    const file = new File(['notes'], 'notes.txt', { type: 'text/plain' });
    const talk = begin(chatUrl);

    await talk.sendFile(file);

    await until(() => expect(talk.state.messages[0]?.payload).toMatchObject({ type: 'file', title: 'notes.txt' }));
    await expect(begin(absentChat()).sendFile(file)).rejects.toMatchObject({ status: 404 });
  });

  it('has no effect after it is stopped, even during its start', async () => {
    const { chatUrl } = await install();
    const shelf = newShelf();
    const stopped = begin(chatUrl, { shelf });
    stopped.stop();
    await until(() => expect(conversationOf(shelf, chatUrl)).toBeDefined());
    await untilLive(begin(chatUrl, { shelf }));

    expect(stopped.state.phase).toBe('starting');
    await expect(stopped.sendFile(new File(['notes'], 'notes.txt'))).rejects.toThrow('The conversation has ended.');
  });

  it('becomes a new guest after the user was deleted', async () => {
    const visited = await visit();
    const { talk, shelf, chatUrl } = visited;
    talk.stop();
    await remove(visited, '/users/me');

    const next = begin(chatUrl, { shelf });

    await untilLive(next);
    expect(next.state.userId).not.toBe(talk.state.userId);
    expect(conversationOf(shelf, chatUrl)).toBe(next.state.conversationId);
  });

  it('reports a missing chat, and a chat that is for identified users only', async () => {
    const closed = await install({ isSignUpOpen: false });
    const [absent, forUsers] = [begin(absentChat()), begin(closed.chatUrl)];

    await until(() => expect(absent.state).toMatchObject({ phase: 'failed', failure: { status: 404 } }));
    await until(() => expect(forUsers.state).toMatchObject({ phase: 'failed', failure: { status: 401 } }));
  });

  it('signals typing at most once per interval', async () => {
    const { installation, talk, other } = await visit();
    const watching = begin(installation.chatUrl, { userKey: other.key });
    await untilLive(watching);
    const calls = vi.spyOn(globalThis, 'fetch');

    await until(() => {
      talk.type(true);
      expect(watching.state.isOtherTyping).toBe(true);
    });
    talk.type(false);
    await until(() => expect(watching.state.isOtherTyping).toBe(false));

    const typingCalls = calls.mock.calls.filter(([url]) => String(url).endsWith('/typing')).length;
    calls.mockRestore();
    expect(typingCalls).toBeLessThanOrEqual(4);
  });
});
