/** Tests the values that a chat stores in the browser. */
import { expect, it } from 'vitest';
import { Memory, type Shelf } from '#widget/talk/memory.ts';

function newShelf(): Shelf & { all: Map<string, string> } {
  const all = new Map<string, string>();
  return {
    all,
    getItem: name => all.get(name) ?? null,
    setItem: (name, value) => void all.set(name, value),
    removeItem: name => void all.delete(name),
  };
}
const URL_OF_CHAT = 'https://chat.example.com/hook';

it('makes stored values available to the next page, but not to other chats', () => {
  const shelf = newShelf();
  new Memory(URL_OF_CHAT, shelf).write({ userKey: 'key', conversationId: 'c' });

  expect(new Memory(URL_OF_CHAT, shelf).read()).toEqual({ userKey: 'key', conversationId: 'c' });
  expect(new Memory(`${URL_OF_CHAT}2`, shelf).read()).toEqual({});
});

it('changes given values, and removes undefined ones', () => {
  const memory = new Memory(URL_OF_CHAT, newShelf());
  memory.write({ userKey: 'key', conversationId: 'c' });
  memory.write({ conversationId: undefined, lastReadId: 'm' });

  expect(memory.read()).toEqual({ userKey: 'key', lastReadId: 'm' });
  memory.forget();
  expect(memory.read()).toEqual({});
});

it.each(['{', 'null', '[]', '{"userKey":1}', '{"unsent":"x"}'])('ignores the corrupt %s', text => {
  const shelf = newShelf();
  shelf.setItem(`parley-chat:${URL_OF_CHAT}`, text);

  expect(new Memory(URL_OF_CHAT, shelf).read()).toEqual({});
});

it('keeps valid unsent messages', () => {
  const shelf = newShelf();
  const whole = { key: 'k', conversationId: 'c', saidMs: 1, payload: { type: 'text' as const, text: 'Hello' } };
  shelf.setItem(`parley-chat:${URL_OF_CHAT}`, JSON.stringify({ unsent: [whole, null, { key: 'k' }] }));

  expect(new Memory(URL_OF_CHAT, shelf).read()).toEqual({ unsent: [whole] });
});

it('changes nothing for a conversation or user that was replaced in the meantime', () => {
  const shelf = newShelf();
  const [memory, otherTab] = [new Memory(URL_OF_CHAT, shelf), new Memory(URL_OF_CHAT, shelf)];
  memory.write({ userId: 'u', conversationId: 'c' });
  otherTab.write({ conversationId: 'd' });

  expect(memory.update({ conversationId: 'c' }, { lastReadId: 'm' })).toBe(false);
  expect(memory.update({ userId: 'u', conversationId: 'd' }, { lastReadId: 'n' })).toBe(true);
  expect(memory.replace('other', { userId: 'v' })).toBe(false);
  expect(memory.read()).toEqual({ userId: 'u', conversationId: 'd', lastReadId: 'n' });
  expect(memory.replace('u', { userId: 'v' })).toBe(true);
  expect(memory.read()).toEqual({ userId: 'v' });
});

it('does not restore values that another tab has deleted', () => {
  const shelf = newShelf();
  const [memory, otherTab] = [new Memory(URL_OF_CHAT, shelf), new Memory(URL_OF_CHAT, shelf)];
  memory.write({ userKey: 'key', userId: 'u', conversationId: 'c' });
  otherTab.forget();

  memory.update({ conversationId: 'c' }, { lastReadId: 'm' });

  expect(memory.read()).toEqual({});
});

it('keeps values for the lifetime of the page if storage is full', () => {
  const shelf = newShelf();
  const memory = new Memory(URL_OF_CHAT, {
    ...shelf,
    setItem: () => {
      throw new Error('QuotaExceededError');
    },
  });
  memory.write({ userKey: 'key' });
  memory.write({ userId: 'u' });

  expect(memory.read()).toEqual({ userKey: 'key', userId: 'u' });
});

it('keeps values for the lifetime of the page if storage is blocked', () => {
  const refuse = () => {
    throw new Error('SecurityError');
  };
  for (const shelf of [undefined, { getItem: refuse, setItem: refuse, removeItem: refuse }]) {
    const memory = new Memory(URL_OF_CHAT, shelf);
    memory.write({ userKey: 'key' });
    expect(memory.read()).toEqual({ userKey: 'key' });
    memory.forget();
    expect(memory.read()).toEqual({});
  }
});
