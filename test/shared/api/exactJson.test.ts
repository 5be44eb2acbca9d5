/** Tests that JSON comes back as it was sent, or is rejected with its path, wherever a body or an answer is parsed. */
import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { chatApi, platformApi } from '#infra/gateway/apis.ts';
import { bodyWith, type Place, partsOf, placesOf } from '#test/support/inputPlaces.ts';
import { serve } from '#test/support/integration.ts';
import { useModel } from '#test/support/languageModel.ts';
import {
  call,
  isLeftOut,
  newBot,
  newUser,
  newWorkspace,
  type TestBot,
  useSharedPlatform,
} from '#test/support/platform.ts';
import { requestFor } from '#test/support/requests/everyOperation.ts';
import { sampled } from '#test/support/tier.ts';

useSharedPlatform();
useModel();

let bot: TestBot;
beforeAll(async () => {
  bot = await newBot();
});

const LOST = '9007199254740993';

async function newEvents() {
  const { chatUrl } = bot;
  const { client, key } = await newUser({ chatUrl });
  const { conversation } = await client.createConversation({});
  const bodyOf = (payload: string) => `{"conversationId":"${conversation.id}","payload":${payload}}`;
  const send = (body: string | Uint8Array, headers: Record<string, string> = {}) =>
    call(`${chatUrl}/events`, { method: 'POST', key, headers, body });
  const textOf = async (id: string) =>
    (await fetch(`${chatUrl}/events/${id}`, { headers: { 'x-user-key': key } })).text();
  return { bodyOf, send, textOf };
}

describe('a payload', () => {
  it.each([
    ['{"b":1,"a":[true,null,"\\u0000😀"],"":{}}', '{"b":1,"a":[true,null,"\\u0000😀"],"":{}}'],
    ['{"a":9007199254740992,"b":0.1,"c":1e21,"d":5e-324}', '{"a":9007199254740992,"b":0.1,"c":1e+21,"d":5e-324}'],
    ['{"a":1.0,"b":1e2,"c":-0}', '{"a":1,"b":100,"c":0}'],
    ['{"b":0,"10":1,"9":2}', '{"9":2,"10":1,"b":0}'],
    ['{"a":"\\ud83d"}', '{"a":"\\ud83d"}'],
    ['{"constructor":1,"prototype":{"toString":2}}', '{"constructor":1,"prototype":{"toString":2}}'],
  ])('returns %s as %s', async (sent, returned) => {
    const { bodyOf, send, textOf } = await newEvents();

    const { body } = await send(bodyOf(sent));

    expect(await textOf(body.event.id)).toContain(`"payload":${returned}`);
  });

  it.each([
    [`{"order":{"ids":[1,${LOST}]}}`, 'payload.order.ids.1', 'Send it as a string.'],
    ['{"a":1e400}', 'payload.a', 'Send it as a string.'],
    ['{"a":-1e400}', 'payload.a', 'Send it as a string.'],
    ['{"a":1e-400}', 'payload.a', 'Send it as a string.'],
    ['{"a":1,"a":2}', 'payload.a', 'Send it once.'],
    ['{"a":{"__proto__":{"b":1}}}', 'payload.a.__proto__', 'Use another name.'],
  ])('rejects %s with its path and the fix', async (payload, path, fix) => {
    const { bodyOf, send } = await newEvents();

    const { status, body } = await send(bodyOf(payload));

    expect(status).toBe(400);
    expect(body.message).toMatch(new RegExp(`^${path}: .*${fix.replace('.', '\\.')}$`));
    expect(body.metadata.issues).toEqual([{ path, message: body.message.slice(path.length + 2) }]);
  });

  it('is checked after decompression', async () => {
    const { bodyOf, send } = await newEvents();

    const { status, body } = await send(gzipSync(bodyOf(`{"a":${LOST}}`)), { 'content-encoding': 'gzip' });

    expect({ status, path: body.metadata.issues[0].path }).toEqual({ status: 400, path: 'payload.a' });
  });
});

const WITH_BODY = [...chatApi.operations, ...platformApi.operations]
  // Only integrations configure themselves, and the test calls as the bot.
  .filter(({ body, name }) => body && name !== 'configureIntegration')
  .map(operation => [operation.group, operation.name, operation] as const);

describe.skipIf(isLeftOut('inputs'))('a number that a double cannot represent', () => {
  it.each(WITH_BODY)('is rejected by %s %s', { timeout: 60_000 }, async (_group, _name, operation) => {
    const { url, headers, body } = await requestFor(bot, operation);
    const text = JSON.stringify({ ...(body as object), lost: '@' }).replace('"@"', LOST);

    const answer = await call(url, { method: operation.method, headers, body: text });

    expect(answer.status).toBe(400);
    expect(answer.body.metadata.issues[0].path).toBe('lost');
  });

  it('is rejected in an uploaded body', async () => {
    const workspace = await newWorkspace();
    const text = `{"name":"b","states":{"s":{"type":"bot","schema":{"maximum":${LOST}}}}}`;
    const slot = (await workspace.call('POST', '/body-uploads', { body: { size: text.length } })).body;
    await fetch(slot.url, { method: 'PUT', body: text });

    const { status, body } = await workspace.call('POST', '/bots', { headers: { 'x-body-ref': slot.ref } });

    expect({ status, path: body.metadata.issues[0].path }).toEqual({ status: 400, path: 'states.s.schema.maximum' });
  });

  it('is rejected within JSON in a query', async () => {
    const { status, body } = await bot.callFiles('GET', `?tags=${encodeURIComponent(`{"a":["x"],"b":[${LOST}]}`)}`);

    expect({ status, path: body.metadata.issues[0].path }).toEqual({ status: 400, path: 'tags.b.0' });
  });
});

/** Texts for the model, which are not stored, and positions in lists. */
const NOT_STORED = /^(?:generateText|redriveDeadLetters|replayBotEvents)$/;

const isText = ({ schema }: Place) => {
  const { type, enum: values, const: constant } = partsOf(schema);
  return type === 'string' && values === undefined && constant === undefined;
};

const WITH_TEXT = WITH_BODY.filter(
  ([, name, operation]) => !operation.streams && !NOT_STORED.test(name) && placesOf(operation, isText).length > 0,
);

describe.skipIf(isLeftOut('inputs'))('a lone surrogate', () => {
  it.each(WITH_TEXT)('is rejected or returned by %s %s', { timeout: 60_000 }, async (_group, name, operation) => {
    const changed: string[] = [];
    const places = placesOf(operation, isText);
    for (const { path } of sampled(places, 5, name.length)) {
      const { url, headers, body } = await requestFor(bot, operation);
      const text = JSON.stringify(bodyWith(operation, body, path, 'x\ud800y'));
      const answer = await call(url, { method: operation.method, headers, body: text });
      const isReturned = answer.status < 300 && JSON.stringify(answer.body).includes('x\\ud800y');
      const isRejected = answer.status >= 400 && answer.status < 500;
      if (!isReturned && !isRejected) changed.push(`${path.join('.')}: ${answer.status}`);
    }

    expect(changed).toEqual([]);
  });
});

describe.skipIf(isLeftOut('faults'))('the output of an action', () => {
  it.each([
    [`{"output":{"id":${LOST}}}`, /output\.id: The number has more digits than a double keeps/],
    ['{"output":{"a":1,"a":2}}', /output\.a: An object cannot have this name twice/],
    ['{"output":', /is not valid JSON: see line 1, column 11/],
    ['{"other":{}}', /has no output/],
  ])('is rejected with the reason: %s', async (text, message) => {
    const endpoint = await serve((_, response) => void response.end(text));
    const own = await newBot();
    await own.workspace.owner.client.updateBot({ id: own.id, url: endpoint.url });

    const { status, body } = await own.call('POST', '/actions', { body: { type: 'act', input: {} } });
    endpoint.stop();

    expect({ status, type: body.type }).toEqual({ status: 400, type: 'Runtime' });
    expect(body.message).toMatch(message);
  });
});
