import { beforeAll, describe, expect, it } from 'vitest';
import { newBot, type TestBot, useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();

let bot: TestBot;
beforeAll(async () => {
  bot = await newBot();
});

const remove = (id: string) => bot.call('DELETE', `/workflows/${id}`);

describe('DELETE /v1/chat/workflows/{id}', () => {
  it('returns 200 with an empty body and removes the workflow from every list', async () => {
    const { conversation } = await bot.client.createConversation({ channel: 'channel', tags: {} });
    const { workflow } = await bot.client.createWorkflow({
      name: 'gone',
      status: 'pending',
      tags: { gone: 'yes' },
      conversationId: conversation.id,
    });

    const { status, body } = await remove(workflow.id);

    expect({ status, body }).toEqual({ status: 200, body: {} });
    expect((await bot.call('GET', `/workflows/${workflow.id}`)).status).toBe(404);
    for (const query of [{ name: 'gone' }, { tags: { gone: 'yes' } }, { conversationId: conversation.id }]) {
      expect((await bot.client.listWorkflows(query)).workflows).toEqual([]);
    }
    expect((await bot.client.getConversation({ id: conversation.id })).conversation.currentWorkflowId).toBeUndefined();
  });

  it('notifies the parent and keeps the children', async () => {
    const { workflow: parent } = await bot.client.createWorkflow({ name: 'parent', status: 'listening' });
    const { workflow } = await bot.client.createWorkflow({
      name: 'w',
      status: 'listening',
      parentWorkflowId: parent.id,
    });
    const { workflow: child } = await bot.client.createWorkflow({
      name: 'child',
      status: 'listening',
      parentWorkflowId: workflow.id,
    });

    await bot.client.deleteWorkflow({ id: workflow.id });

    const { events } = await bot.client.listEvents({ type: 'workflow_update', workflowId: parent.id });
    expect(events.map(({ payload }) => payload)).toEqual([
      { type: 'child_workflow_deleted', workflow: parent, childWorkflow: workflow },
    ]);
    expect((await bot.client.getWorkflow({ id: child.id })).workflow).toEqual(child);
  });

  it("keeps the conversation's current workflow if it is another one", async () => {
    const { conversation } = await bot.client.createConversation({ channel: 'channel', tags: {} });
    const create = async () =>
      (await bot.client.createWorkflow({ name: 'w', status: 'listening', conversationId: conversation.id })).workflow;
    const [first, second] = [await create(), await create()];

    await bot.client.deleteWorkflow({ id: first.id });

    const { conversation: found } = await bot.client.getConversation({ id: conversation.id });
    expect(found.currentWorkflowId).toBe(second.id);
  });

  it('deletes its states', async () => {
    const { workflow } = await bot.client.createWorkflow({ name: 'w', status: 'listening' });
    await bot.client.setState({ type: 'workflow', id: workflow.id, name: 's', payload: { a: 1 } });

    await bot.client.deleteWorkflow({ id: workflow.id });

    expect((await bot.call('GET', `/states/workflow/${workflow.id}/s`)).status).toBe(404);
  });

  it('deletes a finished workflow', async () => {
    const { workflow } = await bot.client.createWorkflow({ name: 'w', status: 'listening' });
    await bot.client.updateWorkflow({ id: workflow.id, status: 'completed' });

    const { status } = await remove(workflow.id);

    expect(status).toBe(200);
    expect((await remove(workflow.id)).status).toBe(404);
  });

  it('returns 404 for an unknown workflow or one of another bot', async () => {
    const other = await newBot(bot.workspace);
    const { workflow } = await bot.client.createWorkflow({ name: 'w', status: 'listening' });

    const answers = [
      await remove('no-such'),
      await remove(`wf_${'z'.repeat(25)}`),
      await other.call('DELETE', `/workflows/${workflow.id}`),
    ];

    for (const answer of answers) expect(answer).toMatchObject({ status: 404, body: { type: 'ResourceNotFound' } });
    expect((await bot.client.getWorkflow({ id: workflow.id })).workflow).toEqual(workflow);
  });
});
