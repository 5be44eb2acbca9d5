/** The chat's memory in the browser. */
import { expect, it } from 'vitest';
import { Memory, type Shelf } from '#console/widget/talk/memory.ts';

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

it('is found by the next page, and by no other chat', () => {
  const shelf = newShelf();
  new Memory(URL_OF_CHAT, shelf).write({ userKey: 'key', conversationId: 'c' });

  expect(new Memory(URL_OF_CHAT, shelf).read()).toEqual({ userKey: 'key', conversationId: 'c' });
  expect(new Memory(`${URL_OF_CHAT}2`, shelf).read()).toEqual({});
});

it('changes what is given, and forgets what is given as undefined', () => {
  const memory = new Memory(URL_OF_CHAT, newShelf());
  memory.write({ userKey: 'key', conversationId: 'c' });
  memory.write({ conversationId: undefined, lastReadId: 'm' });

  expect(memory.read()).toEqual({ userKey: 'key', lastReadId: 'm' });
  memory.forget();
  expect(memory.read()).toEqual({});
});

it.each(['{', 'null', '[]', '{"userKey":1}', '{"unsent":"x"}'])('reads the damaged %s as nothing', text => {
  const shelf = newShelf();
  shelf.setItem(`parley-chat:${URL_OF_CHAT}`, text);

  expect(new Memory(URL_OF_CHAT, shelf).read()).toEqual({});
});

it('keeps what was not sent, of what is whole', () => {
  const shelf = newShelf();
  const whole = { key: 'k', conversationId: 'c', saidMs: 1, payload: { type: 'text' as const, text: 'Hello' } };
  shelf.setItem(`parley-chat:${URL_OF_CHAT}`, JSON.stringify({ unsent: [whole, null, { key: 'k' }] }));

  expect(new Memory(URL_OF_CHAT, shelf).read()).toEqual({ unsent: [whole] });
});

it('lasts as long as the page where nothing may be stored', () => {
  const refuse = () => {
    throw new Error('SecurityError');
  };
  for (const shelf of [undefined, { getItem: refuse, setItem: refuse, removeItem: refuse }]) {
    const memory = new Memory(URL_OF_CHAT, shelf);
    memory.write({ userKey: 'key' });
    expect(memory.read()).toEqual({ userKey: 'key' });
  }
});
