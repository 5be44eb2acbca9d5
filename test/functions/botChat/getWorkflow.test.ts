import { beforeAll, describe, expect, it } from 'vitest';
import { newBot, type TestBot, useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();

let bot: TestBot;
beforeAll(async () => {
  bot = await newBot();
});

describe('GET /v1/chat/workflows/{id}', () => {
  it('returns 200 with the workflow and its version', async () => {
    const { workflow } = await bot.client.createWorkflow({
      name: 'order',
      status: 'pending',
      input: { pizza: [{ size: null }] },
      tags: { a: '1' },
    });

    const { status, headers, body } = await bot.call('GET', `/workflows/${workflow.id}`);

    expect(status).toBe(200);
    expect(headers.get('etag')).toMatch(/^".+"$/);
    expect(body).toEqual({ workflow });
  });

  it('shows status and output after an update', async () => {
    const { workflow } = await bot.client.createWorkflow({ name: 'w', status: 'listening' });
    const { workflow: ended } = await bot.client.updateWorkflow({
      id: workflow.id,
      status: 'failed',
      failureReason: 'no dough',
      output: { pizzas: 0 },
    });

    const { workflow: found } = await bot.client.getWorkflow({ id: workflow.id });

    expect(found).toEqual(ended);
    expect(found).toMatchObject({
      status: 'failed',
      failureReason: 'no dough',
      output: { pizzas: 0 },
      completedAt: ended.updatedAt,
    });
  });

  it('returns 404 for an unknown workflow or one of another bot', async () => {
    const other = await newBot(bot.workspace);
    const { workflow } = await bot.client.createWorkflow({ name: 'w', status: 'listening' });

    const answers = [
      await bot.call('GET', '/workflows/no-such'),
      await bot.call('GET', `/workflows/wf_${'z'.repeat(25)}`),
      await other.call('GET', `/workflows/${workflow.id}`),
    ];

    for (const answer of answers) expect(answer).toMatchObject({ status: 404, body: { type: 'ResourceNotFound' } });
  });
});
