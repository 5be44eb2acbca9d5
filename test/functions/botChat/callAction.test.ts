import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { brotliCompressSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { clock } from '#shared/core/clock.ts';
import { VARIABLES } from '#shared/core/environment.ts';
import {
  isLeftOut,
  newBot,
  newWorkspace,
  type TestBot,
  type TestWorkspace,
  useSharedPlatform,
} from '#test/support/platform.ts';
import { timelineOf } from '#test/support/tableItems.ts';
import { inFastTime } from '#test/support/time.ts';

useSharedPlatform();

/** Requests to the endpoint, in order. */
const asked: { method: string | undefined; url: string | undefined; headers: IncomingHttpHeaders; body: string }[] = [];
let answer: (response: ServerResponse) => void;
const answerWith = (status: number, body: unknown, headers: Record<string, string> = {}) => {
  answer = response => response.writeHead(status, headers).end(typeof body === 'string' ? body : JSON.stringify(body));
};

const server = createServer(async (request, response) => {
  // The endpoint also receives a ping and the registration at any time.
  if (request.headers['x-bp-operation'] !== 'action_triggered') return void response.end('{}');
  let body = '';
  for await (const chunk of request) body += chunk;
  asked.push({ method: request.method, url: request.url, headers: request.headers, body });
  answer(response);
});
const endpoint = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

const call = (bot: TestBot, body: unknown, options = {}) => bot.call('POST', '/actions', { body, ...options });
const decoded = (base64: unknown) => JSON.parse(Buffer.from(String(base64), 'base64').toString());

// A deployed function cannot reach this process.
describe.skipIf(isLeftOut('faults'))('POST /v1/chat/actions', () => {
  let workspace: TestWorkspace;
  /** Its endpoint and its integration's endpoint run in this process. */
  let bot: TestBot;

  beforeAll(async () => {
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
    workspace = await newWorkspace();
    bot = await newBot(workspace);
    const { client } = workspace.owner;
    await client.updateBot({ id: bot.id, url: `${endpoint()}/bot`, configuration: { data: { tone: 'kind' } } });
    await client.updateIntegration({ id: bot.integrationId, url: `${endpoint()}/integration` });
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  beforeEach(() => {
    asked.length = 0;
    answerWith(200, { output: {} });
  });

  it("fills in the defaults of the action's input", async () => {
    const own = await newBot(workspace);
    const properties = { type: { type: 'string', default: 'text' }, role: { type: 'string' } };
    const schema = {
      type: 'object',
      properties: { messages: { type: 'array', items: { type: 'object', properties } } },
    };
    const say = { input: { schema }, output: { schema: {} } };
    await workspace.owner.client.updateBot({ id: own.id, url: `${endpoint()}/bot`, actions: { say } });

    const { status } = await call(own, { type: 'say', input: { messages: [{ role: 'user' }] } });

    expect(status).toBe(200);
    expect(JSON.parse(asked[0]!.body).input).toEqual({ messages: [{ role: 'user', type: 'text' }] });
  });

  it("calls the bot's endpoint and returns the output", async () => {
    answerWith(200, { output: { done: [1, null, '🦜'] } });

    const { status, body } = await call(bot, { type: 'doIt', input: { a: 1 } });

    expect({ status, body }).toEqual({
      status: 200,
      body: { output: { done: [1, null, '🦜'] }, meta: { cached: false } },
    });
    expect(asked).toHaveLength(1);
    expect(asked[0]).toMatchObject({ method: 'POST', url: '/bot' });
    expect(JSON.parse(asked[0]!.body)).toEqual({ type: 'doIt', input: { a: 1 } });
    expect(asked[0]!.headers).toMatchObject({
      'content-type': 'application/json',
      'x-bot-id': bot.id,
      'x-bp-operation': 'action_triggered',
      'x-bp-type': 'doIt',
    });
    expect(decoded(asked[0]!.headers['x-bp-configuration'])).toEqual({ tone: 'kind' });
  });

  it("calls an integration's endpoint for alias:action, with the headers of the installation", async () => {
    answerWith(200, { output: { sent: true } });

    const { output } = await bot.client.callAction({ type: 'chat:doIt', input: { to: 'ada' } });

    expect(output).toEqual({ sent: true });
    expect(asked).toHaveLength(1);
    expect(asked[0]).toMatchObject({ method: 'POST', url: '/integration' });
    expect(JSON.parse(asked[0]!.body)).toEqual({ type: 'doIt', input: { to: 'ada' } });
    expect(asked[0]!.headers).toMatchObject({
      'x-bot-id': bot.id,
      'x-bot-user-id': bot.id,
      'x-bp-operation': 'action_triggered',
      'x-bp-type': 'doIt',
      'x-integration-id': bot.integrationId,
      'x-integration-alias': 'chat',
      'x-webhook-id': bot.webhookId,
    });
    expect(decoded(asked[0]!.headers['x-bp-configuration'])).toEqual({});
  });

  it('decompresses the output of the endpoint', async () => {
    answer = response =>
      response.writeHead(200, { 'content-encoding': 'br' }).end(brotliCompressSync('{"output":{"a":"ü"}}'));

    const { status, body } = await call(bot, { type: 'doIt', input: {} });

    expect({ status, output: body.output }).toEqual({ status: 200, output: { a: 'ü' } });
  });

  it('returns 400 that names an unsupported encoding', async () => {
    answerWith(200, { output: {} }, { 'content-encoding': 'compress' });

    const { status, body } = await call(bot, { type: 'doIt', input: {} });

    expect(status).toBe(400);
    expect(body.message).toContain('content-encoding "compress", not gzip, deflate, br, zstd');
  });

  it.each([
    ['a 400 with a message', 400, { message: 'no such pizza' }, /doIt.*400.*no such pizza/],
    ['a 500', 500, { message: 'oven broke' }, /doIt.*500.*oven broke/],
    ['a 400 with a long message', 400, { message: `${'x'.repeat(999)}😀` }, /doIt.*: x{999}$/],
    ['a 500 without a body', 500, '', /doIt.*500/],
    ['garbage', 200, '<html>', /doIt.*not valid JSON/],
    ['no output', 200, { result: {} }, /doIt.*output/],
    ['an output that is no object', 200, { output: 'done' }, /doIt.*output/],
  ])('returns 400 that names the action when its endpoint returns %s', async (_, status, body, message) => {
    answerWith(status, body);

    const refused = await call(bot, { type: 'doIt', input: {} });

    expect(refused).toMatchObject({
      status: 400,
      body: { type: 'Runtime', message: expect.stringMatching(message) },
    });
    expect(asked).toHaveLength(1);
  });

  it('calls a new installation immediately, and its new endpoint immediately after a reinstallation', async () => {
    const { client } = workspace.owner;
    const own = await newBot(workspace);
    const [first, second] = await Promise.all(
      ['pizza', 'pasta'].map(async name => {
        const url = `${endpoint()}/${name}`;
        return (await client.createIntegration({ name: `${name}-${own.id.slice(0, 8)}`, version: '1.0.0', url }))
          .integration;
      }),
    );
    const install = (integrationId: string | null) =>
      client.updateBot({ id: own.id, integrations: { food: integrationId === null ? null : { integrationId } } });
    answerWith(200, { output: { done: true } });
    // The functions cache the bot's current state.
    const before = await call(own, { type: 'food:order', input: {} });

    await install(first!.id);
    const installed = await call(own, { type: 'food:order', input: {} });
    await install(second!.id);
    const reinstalled = await call(own, { type: 'food:order', input: {} });
    await client.updateIntegration({ id: second!.id, url: `${endpoint()}/moved` });
    const moved = await call(own, { type: 'food:order', input: {} });
    await install(null);
    const uninstalled = await call(own, { type: 'food:order', input: {} });

    expect(before).toMatchObject({ status: 400, body: { type: 'ReferenceNotFound' } });
    expect([installed, reinstalled, moved].map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(uninstalled).toMatchObject({ status: 400, body: { type: 'ReferenceNotFound' } });
    expect(asked.map(({ url }) => url)).toEqual(['/pizza', '/pasta', '/moved']);
    expect(asked.map(({ headers }) => headers['x-integration-id'])).toEqual([first!.id, second!.id, second!.id]);
  });

  it("calls the bot's endpoint immediately after it is set or changed", async () => {
    const own = await newBot(workspace);
    await call(own, { type: 'doIt', input: {} });

    for (const path of ['first', 'second']) {
      await workspace.owner.client.updateBot({ id: own.id, url: `${endpoint()}/${path}` });
      await call(own, { type: 'doIt', input: {} });
    }

    expect(asked.map(({ url }) => url)).toEqual(['/first', '/second']);
  });

  it("runs the chat integration's sendEvent without an endpoint, and sends the event to listeners", async () => {
    const own = await newBot(workspace);
    const { conversation } = await own.client.createConversation({ channel: 'channel', tags: {} });
    const sendEvent = (input: unknown) => call(own, { type: 'chat:sendEvent', input });

    const sent = await sendEvent({ conversationId: conversation.id, payload: { foo: 'bar' } });
    const faults = [
      await sendEvent({ conversationId: conversation.id }),
      await sendEvent({ conversationId: `convo_${'0'.repeat(22)}`, payload: {} }),
    ];

    expect(sent).toMatchObject({ status: 200, body: { output: {}, meta: { cached: false } } });
    const shown = (await timelineOf(own.id, conversation.id)).filter(({ k }) => k === 'e');
    expect(shown).toMatchObject([{ u: own.id, w: 'o', p: '{"foo":"bar"}' }]);
    expect(faults.map(({ status, body }) => [status, body.metadata?.issues[0].path])).toEqual([
      [400, 'input.payload'],
      [404, undefined],
    ]);
    expect(asked).toEqual([]);
  });

  it('does not follow a redirect', async () => {
    answerWith(307, '', { location: `${endpoint()}/elsewhere` });

    const refused = await call(bot, { type: 'doIt', input: {} });

    expect(refused).toMatchObject({ status: 400, body: { type: 'Runtime', message: expect.stringContaining('307') } });
    expect(asked.map(({ url }) => url)).toEqual(['/bot']);
  });

  it("adds failures to the bot's log", async () => {
    const own = await newBot(workspace);
    const { bot: record } = await workspace.owner.client.updateBot({ id: own.id, url: `${endpoint()}/bot` });
    answerWith(500, { message: 'oven broke' });

    await call(own, { type: 'bake', input: {} });

    const { logs } = await workspace.owner.client.getBotLogs({
      id: own.id,
      timeStart: record.createdAt,
      level: 'error',
    });
    expect(logs).toEqual([
      expect.objectContaining({ level: 'error', message: expect.stringMatching(/bake.*500.*oven broke/) }),
    ]);
  });

  it('returns 400 when the endpoint is unreachable', async () => {
    const own = await newBot(workspace);
    const gone = createServer();
    await new Promise<void>(resolve => gone.listen(0, '127.0.0.1', resolve));
    const { port } = gone.address() as AddressInfo;
    await new Promise(resolve => gone.close(resolve));
    await workspace.owner.client.updateBot({ id: own.id, url: `http://127.0.0.1:${port}` });

    const refused = await call(own, { type: 'doIt', input: {} });

    expect(refused).toMatchObject({ status: 400, body: { type: 'Runtime', message: expect.stringContaining('doIt') } });
  });

  it("does not reveal the resolved address of an endpoint in the response or in the bot's log", async () => {
    const own = await newBot(workspace);
    await workspace.owner.client.updateBot({ id: own.id, url: endpoint().replace('127.0.0.1', 'localhost') });
    vi.stubEnv(VARIABLES.privateEndpoints, 'false');

    const refused = await call(own, { type: 'doIt', input: {} });
    vi.unstubAllEnvs();
    const { logs } = await workspace.owner.client.getBotLogs({
      id: own.id,
      timeStart: new Date(clock.now() - 60_000).toISOString(),
      level: 'error',
    });

    const message = 'The endpoint of the action doIt could not be reached: its address is not public.';
    expect(refused).toMatchObject({ status: 400, body: { type: 'Runtime', message } });
    expect(logs.map(line => line.message)).toContain(message);
    expect(logs.map(line => line.message).join()).not.toMatch(/127\.0\.0\.1|::1/);
    expect(asked).toEqual([]);
  });

  it('returns 400 when the response is nested too deeply', async () => {
    const nested = `{"output":{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}}`;
    answer = response => response.end(nested);

    const refused = await call(bot, { type: 'doIt', input: {} });

    expect(refused).toMatchObject({ status: 400, body: { type: 'Runtime' } });
  });

  it('returns 400 when the connection breaks', async () => {
    answer = response => response.destroy();

    const refused = await call(bot, { type: 'doIt', input: {} });

    expect(refused).toMatchObject({ status: 400, body: { type: 'Runtime', message: expect.stringContaining('doIt') } });
  });

  it('returns 400 without an endpoint', async () => {
    const own = await newBot(workspace);

    const answers = [
      await call(own, { type: 'doIt', input: {} }),
      await call(own, { type: 'chat:doIt', input: {} }),
      await call(own, { type: 'telegram:doIt', input: {} }),
    ];

    for (const refused of answers) expect(refused).toMatchObject({ status: 400, body: { type: 'ReferenceNotFound' } });
    expect(answers[2]!.body.message).toContain('telegram');
    expect(asked).toEqual([]);
  });

  it.each([
    [{ input: {} }, 'type'],
    [{ type: '', input: {} }, 'type'],
    [{ type: 'doIt' }, 'input'],
    [{ type: 'doIt', input: 'now' }, 'input'],
  ])('returns 400 for %j and names the field, without a call to the endpoint', async (fault, path) => {
    const { status, body } = await call(bot, fault);

    expect({ status, type: body.type, path: body.metadata?.issues[0].path }).toEqual({
      status: 400,
      type: 'InvalidPayload',
      path,
    });
    expect(asked).toEqual([]);
  });

  it('returns 403 to an integration', async () => {
    const refused = await call(
      bot,
      { type: 'doIt', input: {} },
      { token: bot.tokens.integration, headers: { 'x-integration-alias': 'chat' } },
    );

    expect(refused).toMatchObject({ status: 403, body: { type: 'Forbidden' } });
    expect(asked).toEqual([]);
  });

  it.skipIf(isLeftOut('clock'))('returns 504 on a timeout', async () => {
    answer = () => {};

    const late = await inFastTime(() => call(bot, { type: 'doIt', input: {} }));

    expect(late).toMatchObject({
      status: 504,
      body: { type: 'OperationTimeout', message: expect.stringMatching(/doIt.*10 seconds/) },
    });
  });
});
