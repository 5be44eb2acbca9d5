/** Replies and notes that are being sent. */
import { expect, it } from 'vitest';
import { Outbox } from '#console/src/pages/inbox/outbox.ts';

const REPLY = { text: 'Hello', isNote: false };
const untilIdle = () => new Promise(resolve => setImmediate(resolve));
const statesOf = (outbox: Outbox) => outbox.of('c').map(({ text, state }) => [text, state]);

/** Requests that end when the test resolves them. */
function heldSends() {
  const started: string[] = [];
  const ends: { resolve(id: string): void; reject(error: Error): void }[] = [];
  const send = ({ text }: { text: string }) => {
    started.push(text);
    return new Promise<string>((resolve, reject) => ends.push({ resolve, reject }));
  };
  return { started, ends, send };
}

it('shows a text before it is sent, and sends the next one after it', async () => {
  const outbox = new Outbox();
  const { started, ends, send } = heldSends();

  outbox.add('c', REPLY, send);
  outbox.add('c', { ...REPLY, text: 'Second' }, send);
  await untilIdle();

  expect(statesOf(outbox)).toEqual([
    ['Hello', 'sending'],
    ['Second', 'sending'],
  ]);
  expect(started).toEqual(['Hello']);

  ends[0]!.resolve('msg_1');
  await untilIdle();

  expect(started).toEqual(['Hello', 'Second']);
  expect(outbox.of('c')[0]).toMatchObject({ state: 'sent', id: 'msg_1' });
});

it('keeps a failed text, which is sent again with the same key', async () => {
  const outbox = new Outbox();
  const keys: string[] = [];
  let isDown = true;
  const send = async ({ key }: { key: string }) => {
    keys.push(key);
    if (isDown) throw new Error('No network');
    return 'msg_1';
  };

  outbox.add('c', REPLY, send);
  await untilIdle();
  expect(outbox.of('c')).toMatchObject([{ state: 'failed', error: new Error('No network') }]);
  isDown = false;
  outbox.retry(outbox.of('c')[0]!);
  await untilIdle();

  expect(outbox.of('c')).toMatchObject([{ state: 'sent', id: 'msg_1' }]);
  expect(keys[1]).toBe(keys[0]);
});

it('notifies its listeners, and forgets what was listed or belongs to another session', async () => {
  const outbox = new Outbox();
  let changes = 0;
  const unsubscribe = outbox.subscribe(() => changes++);
  const before = outbox.of('c');

  outbox.add('c', REPLY, async () => 'msg_1');
  await untilIdle();
  outbox.remove(outbox.of('c')[0]!);
  unsubscribe();
  outbox.add('c', REPLY, async () => 'msg_2');

  expect(changes).toBe(3);
  outbox.clear();
  // The identical value, because React compares snapshots.
  expect(outbox.of('c')).toBe(before);
});
