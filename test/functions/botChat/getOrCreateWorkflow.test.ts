import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { CROWD, crowds, newBot, type TestBot, useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();

let bot: TestBot;
beforeAll(async () => {
  bot = await newBot();
});

const post = (body: unknown) => bot.call('POST', '/workflows/get-or-create', { body });
/** Input with a name that no other test uses. */
const start = (tags: Record<string, string>) => ({ name: `w-${randomUUID()}`, status: 'pending' as const, tags });

describe('POST /v1/chat/workflows/get-or-create', () => {
  it('returns 201 when it creates the workflow and 200 when it finds the same one', async () => {
    const given = start({ a: '1' });

    const first = await post({ ...given, input: { n: 1 } });
    const second = await post({ ...given, input: { n: 2 }, status: 'listening' });

    expect([first.status, second.status]).toEqual([201, 200]);
    expect(first.body).toEqual({
      workflow: expect.objectContaining({ ...given, input: { n: 1 }, output: {} }),
      meta: { created: true },
    });
    expect(second.body).toEqual({ workflow: first.body.workflow, meta: { created: false } });
    const { events } = await bot.client.listEvents({ type: 'workflow_update', workflowId: first.body.workflow.id });
    expect(events.map(({ payload }) => payload.type)).toEqual(['workflow_started']);
  });

  it('matches the name and all tags, or those that discriminateByTags names', async () => {
    const given = start({ a: '1', b: '2' });
    const { workflow } = await bot.client.createWorkflow(given);

    const byAll = await bot.client.getOrCreateWorkflow(given);
    const bySome = await bot.client.getOrCreateWorkflow({
      ...given,
      tags: { a: '1', b: '3' },
      discriminateByTags: ['a'],
    });
    const byFewer = await bot.client.getOrCreateWorkflow({ ...given, tags: { a: '1' } });
    const byName = await bot.client.getOrCreateWorkflow({ ...given, name: `${given.name}2` });

    expect([byAll.workflow, bySome.workflow]).toEqual([workflow, workflow]);
    expect([byFewer.meta.created, byName.meta.created]).toEqual([true, true]);
  });

  it('reflects tags that updateWorkflow adds and removes', async () => {
    const given = start({ a: '1' });
    const { workflow } = await bot.client.getOrCreateWorkflow(given);
    await bot.client.updateWorkflow({ id: workflow.id, tags: { a: '2' } });

    const byNew = await bot.client.getOrCreateWorkflow({ ...given, tags: { a: '2' } });
    const byOld = await bot.client.getOrCreateWorkflow(given);

    expect([byNew.workflow.id, byNew.meta.created]).toEqual([workflow.id, false]);
    expect(byOld.meta.created).toBe(true);
  });

  it('matches only active or finished workflows with discriminateByStatusGroup', async () => {
    const given = start({ a: '1' });
    const { workflow: finished } = await bot.client.getOrCreateWorkflow({
      ...given,
      discriminateByStatusGroup: 'active',
    });
    await bot.client.updateWorkflow({ id: finished.id, status: 'completed' });

    const active = await bot.client.getOrCreateWorkflow({ ...given, discriminateByStatusGroup: 'active' });
    const activeAgain = await bot.client.getOrCreateWorkflow({ ...given, discriminateByStatusGroup: 'active' });
    const ended = await bot.client.getOrCreateWorkflow({ ...given, discriminateByStatusGroup: 'finished' });

    expect(active.meta.created).toBe(true);
    expect([activeAgain.workflow.id, activeAgain.meta.created]).toEqual([active.workflow.id, false]);
    expect([ended.workflow.id, ended.meta.created]).toEqual([finished.id, false]);
  });

  it('creates one workflow for many concurrent callers', async () => {
    const given = start({ once: 'only' });

    const answers = await crowds(CROWD, () => post(given));

    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(CROWD - 1);
    const { workflows } = await bot.client.listWorkflows({ name: given.name });
    expect(workflows.map(({ id }) => id)).toEqual([...new Set(answers.map(({ body }) => body.workflow.id))]);
  });

  it('creates a new workflow on every call without discriminators', async () => {
    const given = start({ a: '1' });

    const answers = [
      await bot.client.getOrCreateWorkflow({ ...given, tags: {} }),
      await bot.client.getOrCreateWorkflow({ ...given, tags: {} }),
      await bot.client.getOrCreateWorkflow({ ...given, discriminateByTags: [] }),
    ];

    expect(answers.map(({ meta }) => meta.created)).toEqual([true, true, true]);
  });

  it.each([
    [{ name: undefined }, 'name'],
    [{ status: 'completed' }, 'status'],
    [{ status: 'in_progress' }, 'eventId'],
    [{ discriminateByTags: ['b'] }, 'discriminateByTags'],
    [{ discriminateByStatusGroup: 'asleep' }, 'discriminateByStatusGroup'],
    [{ timeoutAt: '2020-01-01T00:00:00Z' }, 'timeoutAt'],
  ])('returns 400 for %j and names the field', async (fault, path) => {
    const { status, body } = await post({ ...start({ a: '1' }), ...fault });

    expect({ status, type: body.type, path: body.metadata?.issues[0].path }).toEqual({
      status: 400,
      type: 'InvalidPayload',
      path,
    });
  });
});
