/** Tests that messages of the user arrive once and in order, or are marked as not sent. */
import { expect, it, vi } from 'vitest';
import { ChatFault } from '#widget/talk/chatApi.ts';
import type { Message, Said } from '#widget/talk/chatContract.ts';
import { MAX_WAITING, Outbox } from '#widget/talk/messageOutbox.ts';

const text = (said: string): Said => ({ type: 'text', text: said });
const messageOf = (payload: Said, id = 'msg_1') => ({ id, payload }) as unknown as Message;

function newOutbox(send: (payload: Said, key: string) => Promise<Message>) {
  const sent: Message[] = [];
  const outbox = new Outbox({ send, onSent: message => sent.push(message), onChange: () => {}, firstPauseMs: 1 });
  outbox.open();
  return { outbox, sent };
}

const until = (expectation: () => void) => vi.waitFor(expectation, 30_000);

it('sends sequentially', async () => {
  const order: string[] = [];
  const { outbox, sent } = newOutbox(async payload => {
    order.push(`begin ${(payload as { text: string }).text}`);
    await Promise.resolve();
    order.push(`end ${(payload as { text: string }).text}`);
    return messageOf(payload);
  });
  outbox.add(text('a'));
  outbox.add(text('b'));

  await until(() => expect(sent).toHaveLength(2));
  expect(order).toEqual(['begin a', 'end a', 'begin b', 'end b']);
  expect(outbox.waiting).toEqual([]);
});

it('retries with the same key after a lost response', async () => {
  const keys: string[] = [];
  const { outbox, sent } = newOutbox(async (payload, key) => {
    keys.push(key);
    if (keys.length < 4) throw new ChatFault(keys.length === 1 ? 0 : 503, 'Internal', 'later');
    return messageOf(payload);
  });
  outbox.add(text('a'));

  await until(() => expect(sent).toHaveLength(1));
  expect(keys).toHaveLength(4);
  expect(new Set(keys).size).toBe(1);
});

it('drops rejected messages, continues with the next, and retries on request', async () => {
  let isRefused = true;
  const { outbox, sent } = newOutbox(async payload => {
    if (isRefused && (payload as { text: string }).text === 'a') throw new ChatFault(403, 'QuotaExceeded', 'Enough.');
    return messageOf(payload);
  });
  outbox.add(text('a'));
  outbox.add(text('b'));
  await until(() => expect(sent).toHaveLength(1));
  expect(outbox.waiting).toMatchObject([{ payload: text('a'), fault: { status: 403, message: 'Enough.' } }]);

  isRefused = false;
  outbox.retry(outbox.waiting[0]!.key);

  await until(() => expect(sent).toHaveLength(2));
  expect(outbox.waiting).toEqual([]);
});

it('stops after six attempts', async () => {
  const send = vi.fn(async () => {
    throw new ChatFault(0, 'NoAnswer', 'no');
  });
  const { outbox } = newOutbox(send);
  outbox.add(text('a'));

  await until(() => expect(outbox.waiting[0]?.fault).toBeDefined());
  expect(send).toHaveBeenCalledTimes(6);
});

it('removes a message that arrived on the stream before its response', async () => {
  const { outbox } = newOutbox(async () => {
    throw new ChatFault(0, 'NoAnswer', 'lost');
  });
  outbox.add(text('a'));
  outbox.take(messageOf(text('a')));

  expect(outbox.waiting).toEqual([]);
});

it('rejects messages above its limit', () => {
  const { outbox } = newOutbox(() => new Promise(() => {}));
  for (let i = 0; i < MAX_WAITING; i++) expect(outbox.add(text(String(i)))).toBe(true);

  expect(outbox.add(text('more'))).toBe(false);
});
