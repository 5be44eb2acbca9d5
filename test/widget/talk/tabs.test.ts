/** Tests that tabs of a browser, and devices of one user, show the same conversation. */
import { describe, expect, it, vi } from 'vitest';
import { startEndpoint } from '#test/support/endpoint.ts';
import { install, newBot, useSharedPlatform } from '#test/support/platform.ts';
import { Memory, type Shelf } from '#widget/talk/memory.ts';
import type { Talk } from '#widget/talk/talk.ts';
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
  visit,
} from './visitor.ts';

useSharedPlatform();
useVisitors();

const ROUNDS = [1, 2, 3];
const placeOf = ({ state: { userId, conversationId } }: Talk) => ({ userId, conversationId });

async function open(chatUrl: string, shelves: readonly Shelf[], userKey?: string): Promise<Talk[]> {
  const tabs = shelves.map(shelf => begin(chatUrl, { shelf, ...(userKey ? { userKey } : {}) }));
  await Promise.all(tabs.map(untilLive));
  return tabs;
}

describe('tabs of one browser', () => {
  it.each(ROUNDS)('shares one guest and one conversation among tabs opened simultaneously (round %i)', async () => {
    const { chatUrl } = await install();
    const shelf = newShelf();

    const [first, ...others] = await open(chatUrl, [shelf, shelf, shelf]);

    for (const tab of others) expect(placeOf(tab)).toEqual(placeOf(first!));
    expect(storedIn(shelf, chatUrl)).toMatchObject(placeOf(first!));
  });

  it.each(ROUNDS)('creates one guest on pages without lock support (round %i)', async () => {
    vi.stubGlobal('navigator', {});
    const { chatUrl } = await install();
    const shelf = newShelf();

    const [one, other] = await open(chatUrl, [shelf, shelf]);

    vi.unstubAllGlobals();
    expect(placeOf(other!)).toEqual(placeOf(one!));
  });

  it('replaces a rejected key with one new guest', async () => {
    const { talk, shelf, chatUrl } = await visit();
    talk.stop();
    const memory = new Memory(chatUrl, shelf);
    memory.write({ userKey: `${memory.read().userKey}x` });

    const [one, other] = await open(chatUrl, [shelf, shelf]);

    expect(placeOf(other!)).toEqual(placeOf(one!));
    expect(one!.state.userId).not.toBe(talk.state.userId);
  });

  it('sends one event at the start of a conversation', async () => {
    const endpoint = await startEndpoint((_, response) => response.writeHead(200).end('{}'));
    began.push(endpoint);
    const bot = await newBot();
    await bot.workspace.owner.client.updateBot({ id: bot.id, url: endpoint.url });
    const shelf = newShelf();

    const [first] = await open(bot.chatUrl, [shelf, shelf, shelf]);
    first!.say({ type: 'text', text: 'Hello' });

    // Events of a conversation arrive in order.
    await until(() => expect(endpoint.events().at(-1)?.type).toBe('message_created'));
    const started = endpoint.events().filter(({ type }) => type !== 'message_created');
    expect(started).toHaveLength(1);
  });

  it('switches to a new conversation that another tab starts', async () => {
    const { talk, shelf, chatUrl } = await visit();
    const other = begin(chatUrl, { shelf });
    await untilLive(other);
    const former = placeOf(talk);

    talk.startAnew();
    await untilLive(talk);
    other.sync();
    await untilLive(other);

    expect(placeOf(other)).toEqual(placeOf(talk));
    expect(placeOf(talk)).toEqual({ ...former, conversationId: expect.not.stringMatching(former.conversationId!) });
    other.say({ type: 'text', text: 'new' });
    await until(() => expect([texts(talk), texts(other)]).toEqual([['new'], ['new']]));
  });

  it('starts one conversation when tabs start one simultaneously', async () => {
    const { talk, shelf, chatUrl } = await visit();
    const other = begin(chatUrl, { shelf });
    await untilLive(other);
    const former = placeOf(talk);

    for (const tab of [talk, other]) tab.startAnew();
    await Promise.all([talk, other].map(untilLive));

    expect(placeOf(other)).toEqual(placeOf(talk));
    expect(talk.state.conversationId).not.toBe(former.conversationId);
  });

  it('leaves a deleted conversation in every tab', async () => {
    const visited = await visit();
    const { talk, shelf, chatUrl } = visited;
    const other = begin(chatUrl, { shelf });
    await untilLive(other);
    await remove(visited, `/conversations/${talk.state.conversationId}`);
    await until(() => expect([talk.state.phase, other.state.phase]).toEqual(['over', 'over']));

    talk.startAnew();
    await untilLive(talk);
    other.sync();
    await untilLive(other);

    expect(placeOf(other)).toEqual(placeOf(talk));
  });

  it('switches to the new guest of another tab, without messages of the previous guest', async () => {
    const { talk, shelf, chatUrl, proxy } = await visit();
    proxy.cut();
    talk.say({ type: 'text', text: 'of the former guest' });
    new Memory(chatUrl, shelf).forget();
    proxy.restore();
    const other = begin(chatUrl, { shelf });
    await untilEntered(other);

    talk.sync();
    await untilEntered(talk);

    expect(placeOf(talk)).toEqual(placeOf(other));
    expect([texts(talk), talk.state.waiting]).toEqual([[], []]);
  });

  it('does not switch to another user whom the page identified', async () => {
    const installation = await install();
    const shelf = newShelf();
    const [guest] = await open(installation.chatUrl, [shelf]);
    const place = placeOf(guest!);
    const [ada] = await open(installation.chatUrl, [shelf], installation.keyOf('ada'));

    guest!.sync();

    expect(placeOf(guest!)).toEqual(place);
    expect(guest!.state.phase).toBe('ready');
    guest!.see(true);
    expect(storedIn(shelf, installation.chatUrl)).toEqual(placeOf(ada!));
  });
});

describe('devices of one user', () => {
  it.each(ROUNDS)('shares one conversation among tabs opened simultaneously (round %i)', async round => {
    const installation = await install();

    const [one, other] = await open(installation.chatUrl, [newShelf(), newShelf()], installation.keyOf(`u${round}`));

    expect(placeOf(other!)).toEqual(placeOf(one!));
  });

  it('starts one conversation when tabs start one simultaneously', async () => {
    const installation = await install();
    const devices = await open(installation.chatUrl, [newShelf(), newShelf()], installation.keyOf('ada'));
    const former = placeOf(devices[0]!);

    for (const device of devices) device.startAnew();
    await Promise.all(devices.map(untilLive));

    expect(placeOf(devices[1]!)).toEqual(placeOf(devices[0]!));
    expect(devices[0]!.state.conversationId).not.toBe(former.conversationId);
  });

  it('switches to a new conversation of another device after a reload', async () => {
    const installation = await install();
    const shelves = [newShelf(), newShelf()] as const;
    const key = installation.keyOf('ada');
    const [one, other] = await open(installation.chatUrl, shelves, key);
    one!.startAnew();
    await untilLive(one!);
    expect(placeOf(other!)).not.toEqual(placeOf(one!));
    other!.stop();

    const [reloaded] = await open(installation.chatUrl, [shelves[1]], key);

    expect(placeOf(reloaded!)).toEqual(placeOf(one!));
  });

  it('starts a new conversation although none was open on the page', async () => {
    const installation = await install();
    const key = installation.keyOf('ada');
    const [one] = await open(installation.chatUrl, [newShelf()], key);
    one!.say({ type: 'text', text: 'Hello' });
    await until(() => expect(one!.state.waiting).toEqual([]));

    const other = begin(installation.chatUrl, { userKey: key });
    other.startAnew();
    await untilLive(other);

    expect(other.state.conversationId).not.toBe(one!.state.conversationId);
  });
});
