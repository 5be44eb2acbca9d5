/** Tests that the events of a workflow are delivered in order, one at a time. */
import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { clock } from '#shared/core/clock.ts';
import { startEndpoint, type TestEndpoint } from '#test/support/endpoint.ts';
import { newConversation } from '#test/support/handoffs.ts';
import { eventually, hasten, newBot, settled, type TestBot, useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();

const CHILDREN = 6;

let bot: TestBot;
let endpoint: TestEndpoint;
/** Events that the endpoint is processing. */
let running: number;
let mostRunning: number;
beforeEach(async () => {
  [running, mostRunning] = [0, 0];
  bot = await newBot();
  endpoint = await startEndpoint(async ({ operation }, response) => {
    if (operation === 'event_received') {
      mostRunning = Math.max(mostRunning, ++running);
      // Long enough for concurrent deliveries to arrive.
      for (let i = 0; i < 200; i++) await turn();
      running--;
    }
    response.end('{}');
  });
  await bot.workspace.owner.client.updateBot({ id: bot.id, url: endpoint.url });
});
afterEach(() => endpoint.stop());

const untilReceived = (count: number) =>
  eventually(async () => expect(endpoint.events()).toHaveLength(count)).then(() => settled());

async function newWorkflow(conversationId?: string): Promise<string> {
  const { workflow } = await bot.client.createWorkflow({ name: 'order', status: 'pending', conversationId });
  await untilReceived(1);
  return workflow.id;
}

describe.each([
  ['of a conversation', () => newConversation(bot)],
  ['without a conversation', async () => undefined],
])('a workflow %s', (_, placeOf) => {
  it('receives the completions of its children one at a time', async () => {
    const parentWorkflowId = await newWorkflow(await placeOf());
    const children = await Promise.all(
      Array.from({ length: CHILDREN }, () =>
        bot.client.createWorkflow({ name: 'part', status: 'pending', parentWorkflowId }),
      ),
    );
    await untilReceived(1 + CHILDREN);
    mostRunning = 0;

    await Promise.all(
      children.map(({ workflow }) => bot.client.updateWorkflow({ id: workflow.id, status: 'completed' })),
    );
    await untilReceived(1 + 2 * CHILDREN);

    expect(mostRunning).toBe(1);
  });

  it('receives its events in the order of their creation', async () => {
    const workflowId = await newWorkflow(await placeOf());

    for (let n = 0; n < CHILDREN; n++) {
      await bot.client.createEvent({ type: 'step', payload: { n }, workflowId });
    }
    await untilReceived(1 + CHILDREN);

    const steps = endpoint.events().filter(({ type }) => type === 'step');
    expect(steps.map(({ payload }) => payload.n)).toEqual(Array.from({ length: CHILDREN }, (_, n) => n));
    expect(mostRunning).toBe(1);
  });

  it('receives the expiry of its state after its earlier events', async () => {
    const workflowId = await newWorkflow(await placeOf());
    await bot.client.setState({ type: 'workflow', id: workflowId, name: 'cart', payload: { n: 1 }, expiry: 60_000 });
    await settled();
    await bot.client.createEvent({ type: 'step', payload: {}, workflowId });

    clock.advance(61_000);
    hasten();
    await untilReceived(3);

    expect(endpoint.events().map(({ type }) => type)).toEqual(['workflow_update', 'step', 'state_expired']);
    expect(mostRunning).toBe(1);
  });
});
