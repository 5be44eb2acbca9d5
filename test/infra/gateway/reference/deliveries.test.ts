/** Tests that the documented schemas of events and signals match the calls that endpoints receive. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import { default as addFormats } from 'ajv-formats';
import { afterEach, describe, expect, it } from 'vitest';
import { deliveredEvents, deliveredSignals } from '#infra/gateway/reference/deliveries.ts';
import { startEndpoint, type TestEndpoint } from '#test/support/endpoint.ts';
import { eventually, isLeftOut, newBot, newUser, settled, useSharedPlatform } from '#test/support/platform.ts';
import { newTable } from '#test/support/rowInternals.ts';

useSharedPlatform();

const ajv = new Ajv2020({ strict: false, allErrors: true });
// biome-ignore lint/suspicious/noExplicitAny: the package's types name the module in the place of its export
(addFormats as any)(ajv);

const stopped: TestEndpoint[] = [];
afterEach(() => {
  for (const each of stopped.splice(0)) each.stop();
});

async function newEndpoint() {
  const endpoint = await startEndpoint();
  stopped.push(endpoint);
  return endpoint;
}

/** Returns the errors of a body against the schema of the documented call with this name. */
function faultsOf(documented: readonly { name: string; schema: object }[], name: string, body: unknown): string {
  const found = documented.find(each => each.name === name);
  if (!found) return `${name} is not documented`;
  const validate = ajv.compile(found.schema);
  return validate(body) ? '' : `${name}: ${ajv.errorsText(validate.errors)}`;
}

const nameOf = (type: string) => (type.endsWith(':custom') ? 'custom' : type.replace(/^table_row_\w+$/, 'table_row'));

describe('the example of a documented call', () => {
  it.each([...deliveredEvents, ...deliveredSignals()])('satisfies the schema: $name', ({ schema, example }) => {
    const validate = ajv.compile(schema);

    expect(validate(example) ? '' : ajv.errorsText(validate.errors)).toBe('');
  });
});

describe.skipIf(isLeftOut('faults'))('a documented call', () => {
  it('has the form of the events that a bot receives', async () => {
    const endpoint = await newEndpoint();
    const bot = await newBot();
    const subscriptions = { events: { table_row_created: {}, table_row_updated: {}, table_row_deleted: {} } };
    await bot.workspace.owner.client.updateBot({ id: bot.id, url: endpoint.url, subscriptions } as never);
    const { client } = await newUser(bot);
    const { conversation } = await client.createConversation({});

    await client.createMessage({ conversationId: conversation.id, payload: { type: 'text', text: 'Hello' } });
    await client.createEvent({ conversationId: conversation.id, payload: { clicked: true } });
    const { workflow } = await bot.client.createWorkflow({
      name: 'order',
      status: 'pending',
      conversationId: conversation.id,
    });
    await bot.client.createWorkflow({ name: 'pay', status: 'pending', parentWorkflowId: workflow.id });
    const { id: table } = await newTable(bot.client, { n: 0 });
    await bot.client.createTableRows({ table, rows: [{ n: 1 }] });
    await bot.client.updateTableRows({ table, rows: [{ id: 1, n: 2 }] });
    const { body } = await bot.call('POST', '/handoffs', { body: { conversationId: conversation.id } });
    await bot.call('POST', `/handoffs/${body.handoff.id}/end`, { body: {} });

    const names = ['message_created', 'custom', 'workflow_update', 'table_row', 'handoff_started', 'handoff_ended'];
    await eventually(async () =>
      expect(new Set(endpoint.events().map(({ type }) => nameOf(type)))).toEqual(new Set(names)),
    );
    await settled();
    const faults = endpoint.events().map(event => faultsOf(deliveredEvents, nameOf(event.type), { event }));
    expect(faults.filter(Boolean)).toEqual([]);
  });

  it('has the form of the signals that the outgoing webhook of a chat receives', async () => {
    const endpoint = await newEndpoint();
    const bot = await newBot();
    const configuration = { webhookUrl: endpoint.url };
    await bot.workspace.owner.client.updateBot({ id: bot.id, integrations: { chat: { configuration } } });
    await settled();
    const { client } = await newUser(bot);
    const { user: guest } = await newUser(bot);
    const { conversation } = await client.createConversation({});
    const conversationId = conversation.id;

    const { message } = await client.createMessage({ conversationId, payload: { type: 'text', text: 'Hello' } });
    await client.createEvent({ conversationId, payload: { clicked: true } });
    await client.addParticipant({ conversationId, userId: guest.id });
    await client.removeParticipant({ conversationId, userId: guest.id });
    await bot.client.updateMessage({ id: message.id, payload: { text: 'Hello again' } } as never);
    await client.deleteMessage({ id: message.id });

    const documented = deliveredSignals();
    const types = () => new Set(endpoint.received.map(({ body }) => body.type));
    await eventually(async () => expect(types().has('message_deleted')).toBe(true));
    const faults = endpoint.received.map(({ body }) => faultsOf(documented, body.type, body));
    expect(faults.filter(Boolean)).toEqual([]);
    expect(documented.map(({ name }) => name)).toEqual(expect.arrayContaining([...types()]));
  });
});
