/** Tests that timers fire once, on time, and not after a cancellation. The clock is a parameter. */
import { beforeAll, describe, expect, it } from 'vitest';
import { clock } from '#shared/core/clock.ts';
import { listTimers, type Timer } from '#shared/storage/dynamodb/timers/timers.ts';
import { fireTimer } from '#test/support/inRoles.ts';
import { crowds, eventually, newBot, newUser, type TestBot, useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();

const DAY_MS = 24 * 3600_000;
let bot: TestBot;
let conversationId: string;

beforeAll(async () => {
  bot = await newBot();
  ({ id: conversationId } = (await bot.client.createConversation({ channel: 'channel', tags: {} })).conversation);
});

/** Returns the timers of a bot within a year. */
async function due(): Promise<Timer[]> {
  const all: Timer[] = [];
  for await (const page of listTimers(clock.now() + 366 * DAY_MS))
    all.push(...page.filter(({ pk }) => pk.startsWith(bot.id)));
  return all;
}

async function onlyDue(): Promise<Timer> {
  const [only, ...others] = await due();
  expect(others).toEqual([]);
  return only!;
}

const state = { type: 'conversation' as const, name: 's' };
const eventsOf = async (type: string) => (await bot.client.listEvents({ type })).events;

describe('a state', () => {
  it('expires after its idle time, and the bot receives one event with the payload', async () => {
    const id = conversationId;
    await bot.client.setState({ ...state, id, payload: { step: 3 }, expiry: 30 * DAY_MS });
    const expiry = await onlyDue();

    const early = await fireTimer(expiry, expiry.dueMs - 1);
    const outcomes = await crowds(10, () => fireTimer(expiry, expiry.dueMs));

    expect(early).toBe('later');
    expect(outcomes.filter(outcome => outcome === 'done')).toHaveLength(1);
    await expect(bot.client.getState({ ...state, id })).rejects.toMatchObject({ code: 404 });
    expect(await eventsOf('state_expired')).toMatchObject([
      {
        conversationId: id,
        status: 'pending',
        payload: { state: { name: 's', type: 'conversation', payload: { step: 3 } } },
      },
    ]);
    expect(await due()).toEqual([]);
  });

  it('restarts its idle time when read, and does not expire after its expiry is removed', async () => {
    const id = conversationId;
    await bot.client.setState({ ...state, id, payload: {}, expiry: DAY_MS });
    const first = await onlyDue();
    await bot.client.patchState({ ...state, id, payload: { a: 1 } });
    const second = await onlyDue();
    await bot.client.setStateExpiry({ ...state, id, expiry: null });

    const outcomes = [await fireTimer(first, first.dueMs), await fireTimer(second, second.dueMs)];

    expect(second.dueMs).toBeGreaterThanOrEqual(first.dueMs);
    expect(outcomes).toEqual(['gone', 'gone']);
    expect((await bot.client.getState({ ...state, id })).state.payload).toEqual({ a: 1 });
    await bot.client.setState({ ...state, id, payload: null });
  });
});

describe('a workflow', () => {
  it('times out once, and notifies its parent and the bot', async () => {
    const parent = (await bot.client.createWorkflow({ name: 'parent', status: 'listening' })).workflow;
    await bot.client.updateWorkflow({ id: parent.id, timeoutAt: new Date(clock.now() + 300 * DAY_MS).toISOString() });
    const { workflow } = await bot.client.createWorkflow({
      name: 'child',
      status: 'listening',
      parentWorkflowId: parent.id,
      conversationId,
    });
    const timeout = (await due()).find(({ pk }) => pk.endsWith(workflow.id))!;

    const early = await fireTimer(timeout, timeout.dueMs - 1);
    const outcomes = await crowds(10, () => fireTimer(timeout, timeout.dueMs));

    expect(early).toBe('later');
    expect(outcomes.filter(outcome => outcome === 'done')).toHaveLength(1);
    expect((await bot.client.getWorkflow({ id: workflow.id })).workflow).toMatchObject({
      status: 'timedout',
      completedAt: expect.any(String),
    });
    const delivered = (await eventsOf('workflow_update')).map(({ payload }) => [payload.type, payload.workflow.id]);
    expect(delivered).toHaveLength(2);
    expect(delivered).toEqual(
      expect.arrayContaining([
        ['workflow_timedout', workflow.id],
        ['child_workflow_finished', parent.id],
      ]),
    );
    expect((await bot.client.getConversation({ id: conversationId })).conversation.currentWorkflowId).toBeUndefined();
    await bot.client.deleteWorkflow({ id: parent.id });
  });

  it('does not time out after it finished', async () => {
    const { workflow } = await bot.client.createWorkflow({ name: 'w', status: 'pending' });
    const timeout = await onlyDue();
    await bot.client.updateWorkflow({ id: workflow.id, status: 'completed' });

    const outcome = await fireTimer(timeout, timeout.dueMs);

    expect(outcome).toBe('gone');
    expect((await bot.client.getWorkflow({ id: workflow.id })).workflow.status).toBe('completed');
  });
});

describe('an event', () => {
  it('fires once, and not after it was cancelled', async () => {
    const schedule = { delay: 10 * DAY_MS };
    const { event } = await bot.client.createEvent({ type: 'happens', payload: {}, schedule });
    const happens = await onlyDue();
    const calledOff = (await bot.client.createEvent({ type: 'calledOff', payload: {}, schedule })).event;
    const never = (await due()).find(({ sk, pk }) => sk !== happens.sk || pk !== happens.pk)!;
    await bot.client.cancelScheduledEvent({ id: calledOff.id });

    const outcomes = await crowds(10, () => fireTimer(happens, happens.dueMs));
    const outcome = await fireTimer(never, never.dueMs);

    expect(outcomes.filter(each => each === 'done')).toHaveLength(1);
    expect(outcome).toBe('gone');
    expect((await bot.client.getEvent({ id: event.id })).event.status).toBe('pending');
    expect((await bot.client.getEvent({ id: calledOff.id })).event.status).toBe('canceled');
    await expect(bot.client.cancelScheduledEvent({ id: event.id })).rejects.toMatchObject({ code: 409 });
  });
});

describe('a message', () => {
  it('is posted once and completely when due, and then counted', async () => {
    const { client: chat, user } = await newUser(bot);
    const { conversation } = await chat.createConversation({});
    const text = 'x'.repeat(600_000);
    const { message } = await bot.client.createMessage({
      conversationId: conversation.id,
      userId: bot.id,
      type: 'text',
      payload: { text },
      tags: {},
      schedule: { delay: DAY_MS },
    });
    const later = await onlyDue();
    const before = await chat.listMessages({ conversationId: conversation.id });

    const outcomes = await crowds(10, () => fireTimer(later, later.dueMs));

    expect(before.messages).toEqual([]);
    expect(outcomes.filter(each => each === 'done')).toHaveLength(1);
    const { messages } = await chat.listMessages({ conversationId: conversation.id });
    expect(messages).toMatchObject([{ id: message.id, userId: bot.id, payload: { type: 'text', text } }]);
    await eventually(async () => {
      const { conversation: counted } = await bot.client.getConversation({ id: conversation.id });
      expect(counted.messageCount).toBe(1);
    });
    // The postponed item is deleted; the object with its payload remains.
    expect((await bot.client.getMessage({ id: message.id })).message.payload).toEqual({ text });
    expect(user.id).not.toBe(bot.id);
  });

  it('is not posted for a user who was deleted', async () => {
    const { client: chat, user } = await newUser(bot);
    const { conversation } = await chat.createConversation({});
    await bot.client.createMessage({
      conversationId: conversation.id,
      userId: user.id,
      type: 'text',
      payload: { text: 'Later' },
      tags: {},
      schedule: { delay: DAY_MS },
    });
    const later = await onlyDue();

    await chat.deleteUser({});
    await fireTimer(later, later.dueMs);

    expect((await bot.client.listMessages({ conversationId: conversation.id })).messages).toEqual([]);
  });

  it('is not posted in a deleted conversation', async () => {
    const { conversation } = await bot.client.createConversation({ channel: 'channel', tags: {} });
    await bot.client.createMessage({
      conversationId: conversation.id,
      userId: bot.id,
      type: 'text',
      payload: { text: 't' },
      tags: {},
      schedule: { delay: DAY_MS },
    });
    const later = await onlyDue();
    await bot.client.deleteConversation({ id: conversation.id });

    const outcome = await fireTimer(later, later.dueMs);

    expect(outcome).toBe('gone');
    await eventually(async () => expect(await due()).toEqual([]));
  });
});

describe('a timer that fires soon', () => {
  it('fires at the exact second without the schedule', async () => {
    const dueMs = clock.now() + 3_000;
    const dateTime = new Date(dueMs).toISOString();
    const { event } = await bot.client.createEvent({ type: 'soon', payload: {}, schedule: { dateTime } });

    const happenedMs = await eventually(async () => {
      expect((await bot.client.getEvent({ id: event.id })).event.status).toBe('pending');
      return clock.now();
    });

    expect(happenedMs).toBeGreaterThanOrEqual(dueMs);
  });
});
