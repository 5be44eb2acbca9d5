/** Tests the state of a conversation when it is replaced, was deleted, or the visitor becomes another user. */
import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it, vi } from 'vitest';
import { startCuttingProxy } from '#test/support/cuttingProxy.ts';
import { startEndpoint } from '#test/support/endpoint.ts';
import { handoffsOf } from '#test/support/handoffs.ts';
import { apiBaseUrl, call, newBot, useSharedPlatform } from '#test/support/platform.ts';
import type { TalkState } from '#widget/talk/talk.ts';
import {
  began,
  begin,
  newShelf,
  remove,
  storedIn,
  texts,
  until,
  untilEntered,
  untilLive,
  useVisitors,
  type Visit,
  visit,
} from './visitor.ts';

useSharedPlatform();
useVisitors();

/** State of the visitor rather than of a conversation. */
const OF_VISITOR = ['phase', 'failure', 'connection', 'userId'] as const satisfies (keyof TalkState)[];

/** A conversation in which every part of the state differs from that of a new one. */
async function busyConversation() {
  const endpoint = await startEndpoint(({ operation }, response) => {
    response.writeHead(operation === 'event_received' ? 422 : 200).end('{}');
  });
  const proxy = await startCuttingProxy(apiBaseUrl());
  began.push(endpoint, proxy);
  const bot = await newBot();
  await bot.workspace.owner.client.updateBot({ id: bot.id, url: endpoint.url });
  const ada = await bot.workspace.join('agent');
  await ada.client.updateAccount({ displayName: 'Ada' });
  const member = (method: string, path: string, body: unknown = {}) =>
    bot.call(method, `/handoffs/${path}`, { token: ada.token, body });
  const chatUrl = bot.chatUrl.replace(apiBaseUrl(), proxy.origin);
  const shelf = newShelf();
  const first = begin(chatUrl, { shelf });
  await untilLive(first);
  first.say({ type: 'text', text: 'fails' });
  await until(() => expect(first.state.failedIds).toHaveLength(1));
  first.stop();
  const conversationId = first.state.conversationId!;
  const { body: waiting } = await handoffsOf(bot).start(conversationId);
  const { id } = waiting.handoff;
  await member('POST', `${id}/assign`);
  for (let i = 0; i < 21; i++) {
    await member('POST', `${id}/messages`, { type: 'text', payload: { text: `${i}` } });
  }
  await member('PUT', `${id}/read`, { messageId: first.state.failedIds[0] });
  const talk = begin(chatUrl, { shelf });
  await untilLive(talk);
  await until(() => expect(talk.state.people.size).toBe(1));
  const ofBot = { conversationId, userId: bot.id, createdAt: new Date().toISOString() };
  for (const streamId of ['ended', 'growing']) {
    proxy.sendFrame({ type: 'message_stream_delta', data: { ...ofBot, streamId, sequence: 0, delta: 'I' } });
  }
  const message = {
    ...ofBot,
    id: `msg_${'z'.repeat(32)}`,
    payload: { type: 'text', text: 'I' },
    metadata: { streamId: 'ended' },
  };
  proxy.sendFrame({ type: 'message_stream_complete', data: { streamId: 'ended', message } });
  await until(() => expect([talk.state.replies.length, talk.state.streamIds.size]).toEqual([1, 1]));
  await until(async () => {
    await member('POST', `${id}/typing`);
    expect(talk.state.isOtherTyping).toBe(true);
  });
  proxy.cut();
  talk.say({ type: 'text', text: 'unsent' });
  return { talk, proxy, shelf, chatUrl, bot };
}

describe('a new conversation', () => {
  it('has the initial state, except for unsent messages', async () => {
    const { talk, proxy, bot } = await busyConversation();
    const { waiting, ...former } = talk.state;
    const fresh = begin(bot.chatUrl);
    await untilLive(fresh);
    await until(() => expect(fresh.state.participantIds.size).toBe(1));
    const { conversationId, ...expected } = fresh.state;
    const initial = Object.entries(former).filter(([name, value]) => {
      const isOfVisitor = (OF_VISITOR as readonly string[]).includes(name);
      // Set only after a handoff, while another part of the state is set only during one.
      if (name === 'rating') return false;
      return !isOfVisitor && isDeepStrictEqual(value, fresh.state[name as keyof TalkState]);
    });
    expect(initial).toEqual([]);

    talk.startAnew();
    await until(() => expect(talk.state.phase).toBe('failed'));
    proxy.restore();
    await untilEntered(talk);

    await until(() => expect(talk.state.waiting).toMatchObject([{ payload: waiting[0]!.payload }]));
    await until(() => expect(talk.state.participantIds.size).toBe(1));
    expect(talk.state).toEqual({
      ...expected,
      participantIds: new Set([former.userId]),
      userId: former.userId,
      conversationId: expect.not.stringMatching(former.conversationId!),
      waiting: talk.state.waiting,
    });
    expect(talk.state.conversationId).not.toBe(conversationId);
  });

  it('asks for no rating of the previous conversation', async () => {
    const bot = await newBot();
    const ada = await bot.workspace.join('agent');
    const as = handoffsOf(bot, ada.token);
    const talk = begin(bot.chatUrl);
    await untilLive(talk);
    const { body } = await as.start(talk.state.conversationId!, { accountId: ada.accountId });
    await until(() => expect(talk.state.handoff?.status).toBe('served'));
    await as.end(body.handoff.id);
    await until(() => expect(talk.state.rating).toEqual({ value: undefined }));

    talk.startAnew();
    await untilLive(talk);

    expect(talk.state.rating).toBeUndefined();
  });

  it('shows nothing of the previous conversation while it starts', async () => {
    const { talk, other } = await visit();
    await other.say('Hello');
    await until(() => expect(texts(talk)).toEqual(['Hello']));
    const shown: TalkState[] = [];
    talk.watch(() => shown.push(talk.state));

    talk.startAnew();
    await untilLive(talk);

    expect(shown.flatMap(({ messages }) => messages)).toEqual([]);
  });

  it('receives no typing signals and page events of the previous conversation, which still receives its own', async () => {
    const visited = await visit();
    const { talk, installation, other } = visited;
    await other.say('Hello');
    await until(() => expect(texts(talk)).toEqual(['Hello']));
    const watching = begin(installation.chatUrl, { userKey: other.key });
    await untilLive(watching);
    await until(() => {
      talk.type(true);
      expect(watching.state.isOtherTyping).toBe(true);
    });
    const former = talk.state.conversationId!;
    const calls = vi.spyOn(globalThis, 'fetch');

    talk.see(true);
    talk.startAnew();
    talk.type(true);
    await expect(talk.sendEvent({ type: 'clicked' })).rejects.toThrow('There is no conversation yet.');
    await untilLive(talk);
    talk.type(true);

    await until(() => expect(watching.state.isOtherTyping).toBe(false));
    const typed = calls.mock.calls.map(([url]) => String(url)).filter(url => url.endsWith('/typing'));
    calls.mockRestore();
    // Only the bot is in the new conversation, and sees no typing.
    expect(typed).toEqual([expect.stringContaining(`/conversations/${former}/`)]);
    const { userId, userKey } = { userId: talk.state.userId, ...storedIn(visited.shelf, visited.chatUrl) };
    await until(async () => {
      const { body } = await call(`${installation.chatUrl}/conversations/${former}/participants/${userId}`, {
        key: userKey!,
      });
      expect(body.participant.lastReadMessageId).toMatch(/^msg_/);
    });
  });

  it('sends messages that were written during its start', async () => {
    const { talk } = await visit();
    talk.startAnew();
    talk.say({ type: 'text', text: 'first' });

    await until(() => expect([texts(talk), talk.state.waiting]).toEqual([['first'], []]));
  });

  it('does not show a message that arrives in the previous conversation meanwhile', async () => {
    const { talk, installation, other } = await visit();
    const watching = begin(installation.chatUrl, { userKey: other.key });
    await untilLive(watching);

    talk.say({ type: 'text', text: 'to the former one' });
    talk.startAnew();
    await untilLive(talk);

    await until(() => expect(texts(watching)).toEqual(['to the former one']));
    expect([texts(talk), talk.state.waiting]).toEqual([[], []]);
  });

  it('is started by a retry after a failure', async () => {
    const { talk, proxy } = await visit();
    const former = talk.state.conversationId;
    proxy.cut();
    talk.startAnew();
    await until(() => expect(talk.state.phase).toBe('failed'));
    proxy.restore();

    await untilEntered(talk);

    expect(talk.state.conversationId).not.toBe(former);
  });
});

/** Ends the conversation while the visitor has it open. */
async function end(visited: Visit): Promise<void> {
  await remove(visited, `/conversations/${visited.talk.state.conversationId}`);
  await until(() => expect(visited.talk.state.phase).toBe('over'));
}

describe('a deleted conversation', () => {
  it('is reported, and is replaced by a new conversation on request', async () => {
    const visited = await visit();
    const { talk } = visited;
    const former = talk.state.conversationId;
    talk.say({ type: 'text', text: 'before' });
    await until(() => expect(texts(talk)).toEqual(['before']));
    await end(visited);

    talk.startAnew();
    await untilLive(talk);
    talk.say({ type: 'text', text: 'after' });

    await until(() => expect(texts(talk)).toEqual(['after']));
    expect(talk.state.conversationId).not.toBe(former);
  });

  it('shows neither typing nor a member', async () => {
    const { talk, proxy, shelf, chatUrl, bot } = await busyConversation();
    proxy.restore();
    await untilLive(talk);
    const { userKey } = storedIn(shelf, chatUrl);
    await call(`${bot.chatUrl}/conversations/${talk.state.conversationId}`, { method: 'DELETE', key: userKey! });

    await until(() => expect(talk.state.phase).toBe('over'));

    expect(talk.state).toMatchObject({ isOtherTyping: false, handoff: undefined });
  });

  it('passes its unsent messages to the next conversation, which sends them on request', async () => {
    const visited = await visit();
    const { talk, shelf, chatUrl } = visited;
    talk.draft = 'draft';
    await end(visited);
    talk.say({ type: 'text', text: 'too late' });
    await until(() => expect(talk.state.waiting).toMatchObject([{ fault: { status: 404 } }]));

    talk.startAnew();
    await untilLive(talk);
    await until(() => expect(talk.state.waiting).toMatchObject([{ fault: { isPassing: true } }]));
    talk.stop();
    const reloaded = begin(chatUrl, { shelf });
    await untilLive(reloaded);
    expect(reloaded.state.waiting).toMatchObject([{ payload: { text: 'too late' }, fault: { isPassing: true } }]);
    expect(texts(reloaded)).toEqual([]);

    reloaded.retry(reloaded.state.waiting[0]!.key);

    await until(() => expect([texts(reloaded), reloaded.state.waiting]).toEqual([['too late'], []]));
    expect(talk.draft).toBe('draft');
  });

  it('passes messages of an earlier page load to the next conversation after a reload', async () => {
    const visited = await visit();
    const { talk, proxy, shelf, chatUrl } = visited;
    proxy.cut();
    talk.say({ type: 'text', text: 'from the train' });
    talk.stop();
    proxy.restore();
    await remove(visited, `/conversations/${talk.state.conversationId}`);

    const reloaded = begin(chatUrl, { shelf });

    await untilLive(reloaded);
    expect(reloaded.state.conversationId).not.toBe(talk.state.conversationId);
    await until(() =>
      expect(reloaded.state.waiting).toMatchObject([{ payload: { text: 'from the train' }, fault: { status: 0 } }]),
    );
  });
});
