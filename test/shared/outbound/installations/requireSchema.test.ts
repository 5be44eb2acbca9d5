import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Installed, installIntegration, type Server, serveIntegration } from '#test/support/integration.ts';
import { apiBaseUrl, call, isLeftOut, useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();

const ORDER = {
  type: 'object',
  properties: { size: { type: 'string', enum: ['small', 'large'] }, note: { type: 'string' } },
  required: ['size'],
  additionalProperties: false,
};
const RECEIPT = {
  type: 'object',
  properties: { price: { type: 'number' } },
  required: ['price'],
  additionalProperties: false,
};

let server: Server;
let installed: Installed;
let inputs: unknown[];
let output: unknown;

// A deployed function cannot reach this process.
describe.skipIf(isLeftOut('faults'))('a definition', () => {
  beforeEach(async () => {
    inputs = [];
    output = { price: 7 };
    const order = async ({ input }: { input: unknown }) => {
      inputs.push(input);
      return output;
    };
    server = await serveIntegration({ actions: { order, secret: order } });
    installed = await installIntegration({
      url: server.url,
      actions: { order: { input: { schema: ORDER }, output: { schema: RECEIPT } } },
      events: { ordered: { schema: ORDER } },
    });
  });
  afterEach(() => server.stop());

  const callAction = (type: string, input: unknown) =>
    call(`${apiBaseUrl()}/v1/chat/actions`, {
      method: 'POST',
      token: installed.botKey,
      botId: installed.botId,
      body: { type, input },
    });
  const createEvent = (type: string, payload: unknown) =>
    call(`${apiBaseUrl()}/v1/chat/events`, {
      method: 'POST',
      token: installed.integrationKey,
      botId: installed.botId,
      headers: { 'x-integration-alias': 'pizza' },
      body: { type, payload },
    });

  it('accepts valid output', async () => {
    const answers = [
      await callAction('pizza:order', { size: 'large' }),
      await createEvent('ordered', { size: 'small', note: 'hot' }),
    ];

    expect(answers.map(({ status }) => status)).toEqual([200, 201]);
    expect(answers[0]!.body.output).toEqual({ price: 7 });
  });

  it.each([
    [{}, 'size', 'is missing'],
    [{ size: 'huge' }, 'size', 'must be one of'],
    [{ size: 'small', colour: 'red' }, 'colour', 'is not allowed'],
  ])(
    'rejects %j as input of an action and as payload of an event and names the field',
    async (value, field, message) => {
      const answers = [await callAction('pizza:order', value), await createEvent('ordered', value)];

      const refusal = (path: string) => ({
        status: 400,
        body: { type: 'InvalidPayload', metadata: { issues: [{ path, message: expect.stringContaining(message) }] } },
      });
      expect(answers[0]).toMatchObject(refusal(`input.${field}`));
      expect(answers[1]).toMatchObject(refusal(`payload.${field}`));
      expect(inputs).toEqual([]);
    },
  );

  it('rejects an invalid output, and forwards undeclared properties', async () => {
    output = { price: 'much' };
    const schemaMismatch = await callAction('pizza:order', { size: 'small' });
    output = { price: 7, tip: 1 };
    const more = await callAction('pizza:order', { size: 'small' });

    expect(schemaMismatch).toMatchObject({
      status: 400,
      body: { type: 'Runtime', message: expect.stringContaining('output.price must be number') },
    });
    expect(more).toMatchObject({ status: 200, body: { output: { price: 7, tip: 1 } } });
  });

  it('ignores undeclared actions', async () => {
    const answers = [await callAction('pizza:secret', { any: 1 }), await createEvent('other', { any: 1 })];

    expect(answers.map(({ status }) => status)).toEqual([200, 201]);
  });

  it("comes from the bot for the bot's own actions", async () => {
    const { client } = installed.workspace.owner;
    await client.updateBot({
      id: installed.botId,
      url: server.url,
      actions: { order: { input: { schema: ORDER }, output: { schema: RECEIPT } } },
    });

    const refused = await callAction('order', { size: 'huge' });

    expect(refused).toMatchObject({ status: 400, body: { metadata: { issues: [{ path: 'input.size' }] } } });
  });

  it('is the response of getIntegration', async () => {
    const { integration } = await installed.workspace.owner.client.getIntegration({ id: installed.integrationId });

    expect(integration).toMatchObject({
      actions: { order: { input: { schema: ORDER }, output: { schema: RECEIPT } } },
      events: { ordered: { schema: ORDER } },
    });
  });
});
