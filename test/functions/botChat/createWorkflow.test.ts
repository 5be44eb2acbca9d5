import { beforeAll, describe, expect, it } from 'vitest';
import { clock } from '#shared/core/clock.ts';
import { eventually, newBot, type TestBot, useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();

let bot: TestBot;
beforeAll(async () => {
  bot = await newBot();
});

const post = (body: unknown) => bot.call('POST', '/workflows', { body });
/** Returns the workflow's events, newest first. */
const deliveredTo = async (workflowId: string) =>
  (await bot.client.listEvents({ type: 'workflow_update', workflowId })).events.map(({ payload }) => payload);
const DAY_MS = 24 * 3600_000;

describe('POST /v1/chat/workflows', () => {
  it('returns 201 with the workflow and its version', async () => {
    const { conversation } = await bot.client.createConversation({ channel: 'channel', tags: {} });
    const { user } = await bot.client.createUser({ tags: {} });
    const { workflow: parent } = await bot.client.createWorkflow({ name: 'parent', status: 'listening' });
    const timeoutAt = new Date(clock.now() + 2 * DAY_MS).toISOString();
    const given = {
      name: 'order',
      status: 'listening',
      input: { pizza: 2 },
      conversationId: conversation.id,
      userId: user.id,
      parentWorkflowId: parent.id,
      timeoutAt,
    };

    const { status, headers, body } = await post({ ...given, tags: { a: '1', none: '' } });

    expect(status).toBe(201);
    expect(headers.get('etag')).toMatch(/^".+"$/);
    expect(body).toEqual({
      workflow: {
        ...given,
        id: expect.stringMatching(/^wf_[0-9A-Za-z]{25}$/),
        output: {},
        tags: { a: '1' },
        createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
        updatedAt: body.workflow.createdAt,
      },
    });
    expect((await bot.client.getWorkflow({ id: body.workflow.id })).workflow).toEqual(body.workflow);
  });

  it('creates a workflow_started event for a pending workflow only', async () => {
    const { workflow: pending } = await bot.client.createWorkflow({ name: 'w', status: 'pending', input: { a: 1 } });
    const { workflow: listening } = await bot.client.createWorkflow({ name: 'w', status: 'listening' });

    const [delivered, notDelivered] = [await deliveredTo(pending.id), await deliveredTo(listening.id)];

    expect(delivered).toEqual([{ type: 'workflow_started', workflow: pending }]);
    expect(notDelivered).toEqual([]);
  });

  it('times out after a day by default, or at timeoutAt', async () => {
    const { workflow } = await bot.client.createWorkflow({ name: 'w', status: 'listening' });

    expect(Date.parse(workflow.timeoutAt) - Date.parse(workflow.createdAt)).toBe(DAY_MS);
  });

  it('notifies the bot and the parent of a timeout', async () => {
    const { conversation } = await bot.client.createConversation({ channel: 'channel', tags: {} });
    const { workflow: parent } = await bot.client.createWorkflow({ name: 'parent', status: 'listening' });
    const { workflow } = await bot.client.createWorkflow({
      name: 'w',
      status: 'listening',
      conversationId: conversation.id,
      parentWorkflowId: parent.id,
      timeoutAt: new Date(clock.now() + 3_000).toISOString(),
    });

    const timedOut = await eventually(async () => {
      const { workflow: now } = await bot.client.getWorkflow({ id: workflow.id });
      expect(now.status).toBe('timedout');
      return now;
    });

    expect(timedOut).toMatchObject({ ...workflow, status: 'timedout', updatedAt: expect.any(String) });
    expect(timedOut.completedAt).toBe(timedOut.updatedAt);
    expect(await deliveredTo(workflow.id)).toEqual([
      {
        type: 'workflow_timedout',
        workflow: timedOut,
        conversation: expect.objectContaining({ id: conversation.id }),
      },
    ]);
    expect(await deliveredTo(parent.id)).toEqual([
      { type: 'child_workflow_finished', workflow: parent, childWorkflow: timedOut },
    ]);
    expect((await bot.client.getConversation({ id: conversation.id })).conversation.currentWorkflowId).toBeUndefined();
  });

  it('requires the id of an event for a workflow in progress', async () => {
    const { event } = await bot.client.createEvent({ type: 't', payload: {} });

    const without = await post({ name: 'w', status: 'in_progress' });
    const unknown = await post({ name: 'w', status: 'in_progress', eventId: `evb_${'z'.repeat(32)}` });
    const within = await post({ name: 'w', status: 'in_progress', eventId: event.id });

    expect(without).toMatchObject({ status: 400, body: { metadata: { issues: [{ path: 'eventId' }] } } });
    expect([unknown.status, within.status]).toEqual([404, 201]);
    expect(within.body.workflow.status).toBe('in_progress');
  });

  it('is the current workflow of its conversation until it is finished', async () => {
    const { conversation } = await bot.client.createConversation({ channel: 'channel', tags: {} });
    const current = async () =>
      (await bot.client.getConversation({ id: conversation.id })).conversation.currentWorkflowId;

    const { workflow } = await bot.client.createWorkflow({
      name: 'w',
      status: 'listening',
      conversationId: conversation.id,
    });

    expect(await current()).toBe(workflow.id);
    await bot.client.updateWorkflow({ id: workflow.id, status: 'completed' });
    expect(await current()).toBeUndefined();
  });

  it.each([
    [{ name: undefined }, 'name'],
    [{ name: '' }, 'name'],
    [{ status: 'completed' }, 'status'],
    [{ input: 'pizza' }, 'input'],
    [{ tags: { a: 7 } }, 'tags.a'],
    [{ timeoutAt: 'tomorrow' }, 'timeoutAt'],
    [{ timeoutAt: '2020-01-01T00:00:00Z' }, 'timeoutAt'],
    [{ timeoutAt: '9999-01-01T00:00:00Z' }, 'timeoutAt'],
  ])('returns 400 for %j and names the field', async (fault, path) => {
    const { status, body } = await post({ name: 'w', status: 'pending', ...fault });

    expect({ status, type: body.type, path: body.metadata?.issues[0].path }).toEqual({
      status: 400,
      type: 'InvalidPayload',
      path,
    });
  });

  it('returns 404 for unknown linked records', async () => {
    const other = await newBot(bot.workspace);
    const { conversation } = await other.client.createConversation({ channel: 'channel', tags: {} });
    const body = { name: 'w', status: 'pending' };

    const answers = [
      await post({ ...body, conversationId: conversation.id }),
      await post({ ...body, userId: `user_${'z'.repeat(24)}` }),
      await post({ ...body, parentWorkflowId: `wf_${'z'.repeat(25)}` }),
    ];

    for (const answer of answers) expect(answer).toMatchObject({ status: 404, body: { type: 'ResourceNotFound' } });
  });
});
