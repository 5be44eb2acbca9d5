import { beforeAll, describe, expect, it } from 'vitest';
import { clock } from '#shared/core/clock.ts';
import { type AdminClient, eventually, newBot, type TestBot, useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();

let bot: TestBot;
beforeAll(async () => {
  bot = await newBot();
});

const newWorkflow = async (fields: Partial<Parameters<AdminClient['createWorkflow']>[0]> = {}) =>
  (await bot.client.createWorkflow({ name: 'w', status: 'listening', ...fields })).workflow;
const put = (id: string, body: unknown, headers: Record<string, string> = {}) =>
  bot.call('PUT', `/workflows/${id}`, { body, headers });
/** Returns the workflow's events, newest first. */
const toldOf = async (workflowId: string) =>
  (await bot.client.listEvents({ type: 'workflow_update', workflowId })).events.map(({ payload }) => payload);

describe('PUT /v1/chat/workflows/{id}', () => {
  it('returns 200 with the completed workflow and its output', async () => {
    const workflow = await newWorkflow({ input: { pizza: 2 }, tags: { a: '1' } });

    const { status, body } = await put(workflow.id, { status: 'completed', output: { baked: 2 } });

    expect(status).toBe(200);
    expect(body).toEqual({
      workflow: {
        ...workflow,
        status: 'completed',
        output: { baked: 2 },
        updatedAt: expect.any(String),
        completedAt: body.workflow.updatedAt,
      },
    });
    expect((await bot.client.getWorkflow({ id: workflow.id })).workflow).toEqual(body.workflow);
  });

  it('merges tags, removes null and empty ones, and updates the tag index', async () => {
    const { id } = await newWorkflow({ tags: { a: '1', b: '2', c: '3' } });

    const { body } = await put(id, { tags: { a: null, b: '', c: '4', d: id } });

    expect(body.workflow.tags).toEqual({ c: '4', d: id });
    expect((await bot.client.listWorkflows({ tags: { d: id } })).workflows).toEqual([body.workflow]);
  });

  it('creates a workflow_continued event for a workflow that was paused or listening', async () => {
    const { id } = await newWorkflow();
    const { event } = await bot.client.createEvent({ type: 't', payload: {} });
    await bot.client.updateWorkflow({ id, status: 'paused' });

    const without = await put(id, { status: 'in_progress' });
    const within = await put(id, { status: 'in_progress', eventId: event.id });

    expect(without).toMatchObject({ status: 400, body: { metadata: { issues: [{ path: 'eventId' }] } } });
    expect(within.status).toBe(200);
    expect(await toldOf(id)).toEqual([{ type: 'workflow_continued', workflow: within.body.workflow }]);
  });

  it('notifies the parent once when its child is finished', async () => {
    const parent = await newWorkflow({ name: 'parent' });
    const child = await newWorkflow({ parentWorkflowId: parent.id });

    const { workflow: finished } = await bot.client.updateWorkflow({ id: child.id, status: 'completed' });
    await bot.client.updateWorkflow({ id: child.id, tags: { after: 'all' } });

    expect(await toldOf(parent.id)).toEqual([
      { type: 'child_workflow_finished', workflow: parent, childWorkflow: finished },
    ]);
  });

  it('returns 400 for a new status of a finished workflow', async () => {
    const { event } = await bot.client.createEvent({ type: 't', payload: {} });
    const ends = ['completed', 'failed', 'cancelled'] as const;

    for (const status of ends) {
      const { id } = await newWorkflow();
      await bot.client.updateWorkflow({ id, status });
      const continued = await put(id, { status: 'in_progress', eventId: event.id });
      const paused = await put(id, { status: 'paused' });

      for (const answer of [continued, paused]) {
        expect(answer).toMatchObject({ status: 400, body: { metadata: { issues: [{ path: 'status' }] } } });
      }
      expect((await bot.client.getWorkflow({ id })).workflow.status).toBe(status);
    }
  });

  it('accepts a failure reason only for a failed or cancelled workflow', async () => {
    const [one, other] = [await newWorkflow(), await newWorkflow()];

    const answers = [
      await put(one.id, { failureReason: 'why not' }),
      await put(one.id, { status: 'completed', failureReason: 'why not' }),
      await put(one.id, { status: 'failed', failureReason: 'no dough' }),
      await put(other.id, { status: 'cancelled', failureReason: 'no hunger' }),
    ];

    expect(answers.map(({ status }) => status)).toEqual([400, 400, 200, 200]);
    expect(answers[0]!.body.metadata.issues[0].path).toBe('failureReason');
    expect(answers.slice(2).map(({ body }) => body.workflow.failureReason)).toEqual(['no dough', 'no hunger']);
  });

  it('postpones the timeout', async () => {
    const soon = new Date(clock.now() + 5_000).toISOString();
    const [later, sooner] = [await newWorkflow({ timeoutAt: soon }), await newWorkflow()];

    await put(later.id, { timeoutAt: new Date(clock.now() + 600_000).toISOString() });
    await put(sooner.id, { timeoutAt: new Date(clock.now() + 5_200).toISOString() });

    await eventually(async () => {
      expect((await bot.client.getWorkflow({ id: sooner.id })).workflow.status).toBe('timedout');
    });
    expect((await bot.client.getWorkflow({ id: later.id })).workflow.status).toBe('listening');
  });

  it('returns 409 and changes nothing when If-Match names another version', async () => {
    const { id } = await newWorkflow();
    const etag = (await bot.call('GET', `/workflows/${id}`)).headers.get('etag')!;

    const first = await put(id, { tags: { n: '1' } }, { 'if-match': etag });
    const late = await put(id, { tags: { n: '2' } }, { 'if-match': etag });
    const next = await put(id, { tags: { m: '3' } }, { 'if-match': first.headers.get('etag')! });

    expect([first.status, late.status, next.status]).toEqual([200, 409, 200]);
    expect(late.body.type).toBe('ResourceLockedConflict');
    expect(next.body.workflow.tags).toEqual({ n: '1', m: '3' });
  });

  it('keeps the changes of all concurrent calls', async () => {
    const { id } = await newWorkflow();
    const names = Array.from({ length: 5 }, (_, i) => `t${i}`);

    await Promise.all(names.map(name => bot.client.updateWorkflow({ id, tags: { [name]: 'x' } })));

    const { workflow } = await bot.client.getWorkflow({ id });
    expect(workflow.tags).toEqual(Object.fromEntries(names.map(name => [name, 'x'])));
  });

  it.each([
    [{ status: 'pending' }, 'status'],
    [{ status: 'timedout' }, 'status'],
    [{ output: 'baked' }, 'output'],
    [{ timeoutAt: '2020-01-01T00:00:00Z' }, 'timeoutAt'],
    [{ tags: { 'a.b': '1' } }, 'tags.a.b'],
  ])('returns 400 for %j and names the field', async (fault, path) => {
    const { id } = await newWorkflow();

    const { status, body } = await put(id, fault);

    expect({ status, type: body.type, path: body.metadata?.issues[0].path }).toEqual({
      status: 400,
      type: 'InvalidPayload',
      path,
    });
  });

  it('returns 404 for an unknown workflow, one of another bot, and an unknown user or event', async () => {
    const { id } = await newWorkflow();
    const other = await newBot(bot.workspace);

    const answers = [
      await put(`wf_${'z'.repeat(25)}`, { tags: {} }),
      await other.call('PUT', `/workflows/${id}`, { body: { tags: {} } }),
      await put(id, { userId: `user_${'z'.repeat(24)}` }),
      await put(id, { status: 'in_progress', eventId: `evb_${'z'.repeat(32)}` }),
    ];

    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
  });
});
