/** Tests that Enter and Escape of an input method do not reach handlers. */
import { expect, it, vi } from 'vitest';
import { hideInputMethodKeys } from '#widget/inputMethod.ts';

const press = (target: EventTarget, key: string, init: { isComposing: boolean; keyCode: number }) =>
  target.dispatchEvent(Object.assign(new Event('keydown', { cancelable: true }), { key, ...init }));

function listen() {
  const target = new EventTarget();
  hideInputMethodKeys(target);
  const handler = vi.fn();
  target.addEventListener('keydown', handler);
  return { target, handler };
}

it.each([
  ['Enter', 'while a word is composed', { isComposing: true, keyCode: 13 }],
  ['Enter', 'that confirms a word in Safari', { isComposing: false, keyCode: 229 }],
  ['Escape', 'that cancels a word', { isComposing: true, keyCode: 229 }],
])('hides %s %s from other handlers, without preventing its default action', (key, _, init) => {
  const { target, handler } = listen();

  const isProcessed = press(target, key, init);

  expect(handler).not.toHaveBeenCalled();
  expect(isProcessed).toBe(true);
});

it('forwards other keys', () => {
  const { target, handler } = listen();

  press(target, 'Enter', { isComposing: false, keyCode: 13 });

  expect(handler).toHaveBeenCalledTimes(1);
});
