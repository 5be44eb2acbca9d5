/** Replies and notes that are being sent. */
import { expect, it } from 'vitest';
import { CallError } from '#console/src/api/parley.ts';
import { Outbox } from '#console/src/pages/inbox/replyOutbox.ts';

/** The storage of a tab, which survives a reload. */
function newTab() {
  const items = new Map<string, string>();
  return {
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => void items.set(key, value),
    removeItem: (key: string) => void items.delete(key),
    items,
  };
}

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

it('shows a reply before it is sent, and sends replies sequentially', async () => {
  const outbox = new Outbox(newTab());
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

it('keeps a failed reply, and retries it with the same key', async () => {
  const outbox = new Outbox(newTab());
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
  outbox.retry(outbox.of('c')[0]!, send);
  await untilIdle();

  expect(outbox.of('c')).toMatchObject([{ state: 'sent', id: 'msg_1' }]);
  expect(keys[1]).toBe(keys[0]);
});

it('notifies its listeners, and discards replies that are listed or belong to another session', async () => {
  const outbox = new Outbox(newTab());
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

it('restores unsent replies after a reload, with their keys and errors', async () => {
  const tab = newTab();
  const before = new Outbox(tab);
  const taken = new CallError(409, {
    id: 'err_1',
    type: 'RelationConflict',
    message: 'No',
    metadata: { handoffId: 'h' },
  });
  const reply = { ...REPLY, handoffId: 'h' };
  before.add('c', reply, () => Promise.reject(taken));
  before.add('d', { text: 'A note', isNote: true }, () => Promise.reject(new Error('No network')));
  await untilIdle();
  before.add('c', { ...reply, text: 'Second' }, heldSends().send);
  before.add('e', reply, async () => 'msg_1');
  await untilIdle();

  const after = new Outbox(tab);

  expect(after.of('c')).toMatchObject([
    { ...reply, key: before.of('c')[0]!.key, state: 'failed', error: taken },
    { text: 'Second', state: 'failed', error: new Error('The page was reloaded before this was sent.') },
  ]);
  expect(after.of('c')[0]!.error).toBeInstanceOf(CallError);
  expect(after.of('d')).toMatchObject([{ text: 'A note', isNote: true, error: new Error('No network') }]);
  expect(after.of('e')).toEqual([]);

  const sent: unknown[] = [];
  after.retry(after.of('c')[0]!, async ({ key, handoffId }) => {
    sent.push([key, handoffId]);
    return 'msg_2';
  });
  await untilIdle();
  expect(sent).toEqual([[before.of('c')[0]!.key, 'h']]);
});

it("clears the tab's storage after a sign-out, and once every reply is sent or discarded", async () => {
  const tab = newTab();
  const outbox = new Outbox(tab);
  const { ends, send } = heldSends();

  outbox.add('c', REPLY, send);
  await untilIdle();
  expect(tab.items.size).toBe(1);
  outbox.clear();
  ends[0]!.reject(new Error('No network'));
  await untilIdle();
  expect(tab.items.size).toBe(0);

  outbox.add('c', REPLY, async () => 'msg_1');
  outbox.add('d', REPLY, () => Promise.reject(new Error('No network')));
  await untilIdle();
  outbox.remove(outbox.of('d')[0]!);
  expect(tab.items.size).toBe(0);
});
