import { expect, it } from 'vitest';
import { GreetingMemory } from '#widget/greeting.ts';
import { newShelf } from './talk/visitor.ts';

it('remembers a dismissed greeting on later pages, and shows a new text', () => {
  const shelf = newShelf();

  new GreetingMemory('https://chat.example.com/a', shelf).dismiss('Hello');

  expect(JSON.stringify(shelf.getItem('parley-chat-greeting:https://chat.example.com/a'))).not.toContain('Hello');
  const later = new GreetingMemory('https://chat.example.com/a', shelf);
  expect(later.isDismissed('Hello')).toBe(true);
  expect(later.isDismissed('Hello again')).toBe(false);
  expect(new GreetingMemory('https://chat.example.com/b', shelf).isDismissed('Hello')).toBe(false);
});

it('remembers a dismissed greeting for the page if the storage is blocked or absent', () => {
  const blocked = () => {
    throw new Error('blocked');
  };

  for (const shelf of [undefined, { getItem: blocked, setItem: blocked, removeItem: blocked }]) {
    const memory = new GreetingMemory('https://chat.example.com/a', shelf);
    expect(memory.isDismissed('Hello')).toBe(false);
    memory.dismiss('Hello');
    expect(memory.isDismissed('Hello')).toBe(true);
  }
});
