/** Tests live updates of the widget over both transports, with the platform, cut connections and several tabs. */
import { describe, expect, it, vi } from 'vitest';
import { startCuttingProxy } from '#test/support/cuttingProxy.ts';
import { apiBaseUrl, install, newUser, useSharedPlatform } from '#test/support/platform.ts';
import type { Talk } from '#widget/talk/talk.ts';
import { began, begin, conversationOf, texts, until, untilLive, useVisitors, type Visit, visit } from './visitor.ts';

useSharedPlatform();
useVisitors();

const numbered = (count: number) => Array.from({ length: count }, (_, i) => `${i}`);

async function visitOver(transport: 'WebSocket' | 'event stream'): Promise<Visit> {
  const visited = await visit();
  if (transport === 'WebSocket') return visited;
  visited.proxy.refuseUpgrades();
  visited.proxy.cutOnce();
  await until(() => expect(visited.talk.state.connection).not.toBe('live'));
  await untilLive(visited.talk);
  return visited;
}

describe.each([
  ['WebSocket', 20],
  ['event stream', 5],
] as const)('a conversation over a %s', (transport, cuts) => {
  it(`receives each message once and in order despite ${cuts} cuts`, async () => {
    const { talk, other, proxy } = await visitOver(transport);
    const changes: string[][] = [];
    const connections = [talk.state.connection];
    talk.watch(() => {
      changes.push(texts(talk) as string[]);
      if (talk.state.connection !== connections.at(-1)) connections.push(talk.state.connection);
    });
    const before = proxy.upgrades();

    for (let cut = 1; cut <= cuts; cut++) {
      await other.say(`${2 * cut - 2}`);
      const sent = other.say(`${2 * cut - 1}`);
      proxy.cutOnce();
      await sent;
      await until(() => expect(connections.filter(each => each === 'live')).toHaveLength(cut + 1));
    }

    await until(() => expect(texts(talk)).toEqual(numbered(2 * cuts)));
    expect(proxy.upgrades() - before).toBe(transport === 'WebSocket' ? cuts : 0);
    for (const shown of changes) expect(shown).toEqual(shown.toSorted((one, next) => Number(one) - Number(next)));
  });
});

describe('tabs of one browser', () => {
  async function openTabs(count: number): Promise<Visit & { tabs: Talk[] }> {
    const visited = await visit();
    const { talk, shelf, chatUrl } = visited;
    const tabs = [talk, ...Array.from({ length: count - 1 }, () => begin(chatUrl, { shelf }))];
    await Promise.all(tabs.map(untilLive));
    return { ...visited, tabs };
  }

  it('share one connection', async () => {
    const { tabs, other, proxy } = await openTabs(3);

    await other.say('Hello');

    for (const tab of tabs) await until(() => expect(texts(tab)).toEqual(['Hello']));
    expect(proxy.upgrades()).toBe(1);
  });

  it('receive each message once although the leading tab closes', async () => {
    const { tabs, other, proxy } = await openTabs(3);
    const [first, second, third] = tabs as [Talk, Talk, Talk];

    for (const text of numbered(12)) {
      const sent = other.say(text);
      if (text === '3') first.stop();
      if (text === '7') second.stop();
      await sent;
    }

    await until(() => expect(texts(third)).toEqual(numbered(12)));
    expect(proxy.upgrades()).toBe(3);
  });

  it('have connections of their own as different users of one conversation', async () => {
    const { talk, installation, chatUrl, other, proxy } = await visit();
    const names: string[] = [];
    const Original = BroadcastChannel;
    vi.stubGlobal(
      'BroadcastChannel',
      class extends Original {
        constructor(name: string) {
          names.push(name);
          super(name);
        }
      },
    );
    const stranger = await newUser(installation);
    const keys = [other.key, stranger.key];

    const [participant, apart] = keys.map(userKey => begin(chatUrl, { userKey })) as [Talk, Talk];
    await Promise.all([participant, apart].map(untilLive));
    await other.say('Only for participants.');

    vi.unstubAllGlobals();
    await until(() => expect(texts(talk)).toEqual(['Only for participants.']));
    expect(proxy.upgrades()).toBe(3);
    expect(texts(apart)).toEqual([]);
    expect(new Set(names).size).toBe(2);
    expect(names.filter(name => keys.some(key => name.includes(key)))).toEqual([]);
  });
});

describe('a streamed reply', () => {
  async function streamed() {
    const visited = await visit();
    const { talk, proxy, other, shelf, chatUrl } = visited;
    const conversationId = conversationOf(shelf, chatUrl);
    const common = { streamId: 's', conversationId };
    const send = (sequence: number, delta: string, streamId = 's') =>
      proxy.sendFrame({
        type: 'message_stream_delta',
        data: { ...common, streamId, userId: other.user.id, createdAt: '2026-01-01T00:00:00Z', sequence, delta },
      });
    const replies = (of = talk) => of.state.replies.map(({ text }) => text);
    return { ...visited, common, send, replies };
  }
  const untilShown = (replies: () => string[], shown: string[]) => until(() => expect(replies()).toEqual(shown));

  it('grows in all tabs, and is replaced by the final message', async () => {
    const { talk, shelf, chatUrl, proxy, other, send, replies } = await streamed();
    const tab = begin(chatUrl, { shelf });
    await untilLive(tab);

    send(0, 'One');
    await untilShown(replies, ['One']);
    send(1, ' two');
    for (const each of [talk, tab]) await untilShown(() => replies(each), ['One two']);
    const { message } = await other.say('One two three');
    const final = { ...message, metadata: { streamId: 's' } };
    proxy.sendFrame({ type: 'message_stream_complete', data: { streamId: 's', message: final } });

    for (const each of [talk, tab]) {
      await untilShown(() => replies(each), []);
      expect(texts(each)).toEqual(['One two three']);
      expect(each.state.streamIds.get(message.id)).toBe('s');
    }
  });

  it('remains while the connection is lost, and until the bot aborts it', async () => {
    const { talk, proxy, common, send, replies } = await streamed();
    send(0, 'One');
    await untilShown(replies, ['One']);

    proxy.cutOnce();
    await until(() => expect(talk.state.connection).not.toBe('live'));
    await untilLive(talk);
    send(2, ' three');
    send(0, 'Another', 'another');
    await untilShown(replies, ['One', 'Another']);
    proxy.sendFrame({ type: 'message_stream_abort', data: common });

    await untilShown(replies, ['Another']);
  });
});

it('shows a message that exceeds a frame', async () => {
  const { talk, other } = await visit();
  const long = 'x'.repeat(140_000);

  await other.say(long);
  await other.say('short');

  await until(() => expect(texts(talk)).toEqual([long, 'short']));
});

it('uses an event stream where WebSockets are blocked', async () => {
  const { chatUrl: direct } = await install();
  const proxy = await startCuttingProxy(apiBaseUrl());
  began.push(proxy);
  proxy.refuseUpgrades();

  const talk = begin(direct.replace(apiBaseUrl(), proxy.origin));
  await untilLive(talk);
  talk.say({ type: 'text', text: 'Hello' });

  await until(() => expect([texts(talk), talk.state.waiting]).toEqual([['Hello'], []]));
  expect(proxy.upgrades()).toBe(0);
});
