/** Tests that notices survive crashes and concurrent changes. Each test runs the jobs itself. */
import { afterEach, expect, it } from 'vitest';
import { clock } from '#shared/core/clock.ts';
import { push } from '#shared/events/pushes/push.ts';
import { pushNotice } from '#shared/events/pushes/pushNotice.ts';
import { addToNotice, type Topic } from '#shared/storage/dynamodb/connections/notices.ts';
import { newBot, settled, useSharedPlatform } from '#test/support/platform.ts';
import { type Listener, watchBot } from '#test/support/sockets.ts';

useSharedPlatform();

const CLOSED_BY_SERVER = 1001;
const open: Listener[] = [];
afterEach(() => {
  for (const each of open.splice(0)) each.close();
});

async function newWatched() {
  const bot = await newBot();
  await settled();
  const watcher = await watchBot(bot.id, bot.workspace.owner.token);
  open.push(watcher);
  const add = (...topics: Topic[]) => addToNotice(bot.id, { topics, conversationIds: [] }, clock.now());
  return { botId: bot.id, watcher, add, topics: () => watcher.frames.map(({ data }) => data.topics) };
}

const permit = async () => true;

it('sends nothing for a job whose changes were in an earlier notice', async () => {
  const { botId, add, topics } = await newWatched();
  await add('notes');
  await add('events');

  const first = await pushNotice(botId, permit);
  const repeated = await pushNotice(botId, permit);

  expect([first.frames, repeated.frames]).toEqual([1, 0]);
  await expect.poll(topics).toEqual([['events', 'notes']]);
});

it('sends a change again that was added while the notice before it was sent', async () => {
  const { botId, add, topics } = await newWatched();
  await add('notes');

  await pushNotice(botId, async () => {
    await add('events');
    return true;
  });
  await pushNotice(botId, permit);

  await expect.poll(topics).toEqual([['notes'], ['events', 'notes']]);
});

it('sends a notice again after a failure', async () => {
  const { botId, add, topics } = await newWatched();
  await add('notes');
  const fail = () => Promise.reject(new Error('The table is unavailable.'));

  await expect(push({ kind: 'notice', botId }, { isLast: false, mayWatch: fail })).rejects.toThrow('unavailable');
  await push({ kind: 'notice', botId }, { isLast: false, mayWatch: permit });

  await expect.poll(topics).toEqual([['notes']]);
});

it('closes connections that would miss a notice after the last attempt', async () => {
  const { botId, add, watcher } = await newWatched();
  await add('notes');
  const fail = () => Promise.reject(new Error('The table is unavailable.'));

  await expect(push({ kind: 'notice', botId }, { isLast: true, mayWatch: fail })).rejects.toThrow('unavailable');

  expect(await watcher.closed).toBe(CLOSED_BY_SERVER);
});
