/** Tests the messages of a conversation, from pages and from the stream. */
import { expect, it } from 'vitest';
import type { ChatApi } from '#widget/talk/chatApi.ts';
import type { Message } from '#widget/talk/chatContract.ts';
import { Timeline } from '#widget/talk/messageTimeline.ts';

const PAGE = 20;
const idOf = (n: number) => `msg_${String(n).padStart(6, '0')}`;
const messageOf = (n: number) => ({ id: idOf(n), payload: { type: 'text', text: String(n) } }) as unknown as Message;

/** Serves pages of a conversation with `count` messages, like the platform. */
const apiOf = (conversation: { count: number; pages?: number }) =>
  ({
    listMessages: async (_: string, nextToken?: string) => {
      conversation.pages = (conversation.pages ?? 0) + 1;
      const end = nextToken === undefined ? conversation.count : Number(nextToken);
      const start = Math.max(0, end - PAGE);
      const messages = Array.from({ length: end - start }, (_, i) => messageOf(end - 1 - i));
      return { messages, meta: start > 0 ? { nextToken: String(start) } : {} };
    },
  }) as unknown as ChatApi;

const numbers = ({ messages }: Timeline) => messages.map(({ id }) => Number(id.slice(4)));
const range = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => from + i);

it('loads the newest page first, and earlier pages on request', async () => {
  const timeline = new Timeline();
  const api = apiOf({ count: 45 });
  await timeline.catchUp(api, 'c');
  expect([numbers(timeline), timeline.hasEarlier]).toEqual([range(25, 45), true]);

  await timeline.readEarlier(api, 'c');
  await timeline.readEarlier(api, 'c');

  expect([numbers(timeline), timeline.hasEarlier]).toEqual([range(0, 45), false]);
});

it('loads the missed messages after an interruption', async () => {
  const timeline = new Timeline();
  const conversation = { count: 30, pages: 0 };
  const api = apiOf(conversation);
  await timeline.catchUp(api, 'c');
  conversation.count = 95;
  conversation.pages = 0;

  await timeline.catchUp(api, 'c');

  expect(numbers(timeline)).toEqual(range(10, 95));
  expect(conversation.pages).toBe(4);
  expect(timeline.hasEarlier).toBe(true);
});

it('drops earlier messages after an interruption that is too long to catch up', async () => {
  const timeline = new Timeline();
  const conversation = { count: 20 };
  const api = apiOf(conversation);
  await timeline.catchUp(api, 'c');
  conversation.count = 2_000;

  await timeline.catchUp(api, 'c');

  expect(numbers(timeline)).toEqual(range(1_500, 2_000));
  expect(timeline.hasEarlier).toBe(true);
});

it('catches up although the connection and the user add messages meanwhile', async () => {
  const timeline = new Timeline();
  const conversation = { count: 1 };
  const api = apiOf(conversation);
  await timeline.catchUp(api, 'c');
  timeline.receive(messageOf(0));
  conversation.count = 60;
  timeline.put([messageOf(58)]);

  const catchingUp = timeline.catchUp(api, 'c');
  timeline.receive(messageOf(59));
  await catchingUp;

  expect(numbers(timeline)).toEqual(range(0, 60));
});

it('catches up again after a failure, without a gap', async () => {
  const timeline = new Timeline();
  const conversation = { count: 1 };
  const api = apiOf(conversation);
  await timeline.catchUp(api, 'c');
  conversation.count = 60;
  const failing = { listMessages: () => Promise.reject(new Error('No answer.')) } as unknown as ChatApi;
  await timeline.catchUp(failing, 'c').catch(() => {});
  timeline.receive(messageOf(59));

  await timeline.catchUp(api, 'c');

  expect(numbers(timeline)).toEqual(range(0, 60));
});

it('keeps a message that arrives while earlier ones are dropped', async () => {
  const timeline = new Timeline();
  const conversation = { count: 20 };
  const api = apiOf(conversation);
  await timeline.catchUp(api, 'c');
  conversation.count = 2_000;

  const catchingUp = timeline.catchUp(api, 'c');
  timeline.receive(messageOf(2_000));
  await catchingUp;

  expect(numbers(timeline)).toEqual(range(1_500, 2_001));
});

it('shows each message once, in order, in its latest version, without deleted ones', () => {
  const timeline = new Timeline();
  timeline.put([messageOf(3), messageOf(1)]);
  timeline.put([messageOf(2), { ...messageOf(1), payload: { type: 'text', text: 'changed' } }]);
  timeline.remove(idOf(3));
  // Simulates a page that was read before the deletion.
  timeline.put([messageOf(3)]);

  expect(numbers(timeline)).toEqual([1, 2]);
  expect(timeline.messages[0]!.payload).toEqual({ type: 'text', text: 'changed' });
});

it('keeps at most a thousand messages', async () => {
  const timeline = new Timeline();
  const api = apiOf({ count: 5_000 });
  await timeline.catchUp(api, 'c');
  while (timeline.hasEarlier) await timeline.readEarlier(api, 'c');

  expect(timeline.messages).toHaveLength(1_000);
});

it('drops messages deleted during an interruption, but not earlier messages or new ones of the stream', async () => {
  const timeline = new Timeline();
  const conversation = { count: 45 };
  await timeline.catchUp(apiOf(conversation), 'c');
  await timeline.readEarlier(apiOf(conversation), 'c');
  const { listMessages } = apiOf(conversation);
  const withoutOne = {
    listMessages: async (...parameters: Parameters<typeof listMessages>) => {
      const { messages, meta } = await listMessages(...parameters);
      timeline.put([messageOf(45)]);
      return { messages: messages.filter(({ id }) => id !== idOf(40)), meta };
    },
  } as unknown as ChatApi;

  await timeline.catchUp(withoutOne, 'c');

  expect(numbers(timeline)).toEqual(range(5, 46).filter(n => n !== 40));
});
