/** Tests failures between a function and DynamoDB: every request takes effect once, and no caller receives a 502. */
import { afterEach, describe, expect, it } from 'vitest';
import { documents } from '#shared/storage/dynamodb/engine/client.ts';
import { call, install, isLeftOut, newUser, useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();

type Fault = (commandName: string) => 'answer lost' | Error | undefined;
let fault: Fault = () => undefined;
afterEach(() => {
  fault = () => undefined;
});

// Injected below the SDK's retries, like network faults.
documents.middlewareStack.add(
  (next, context) => async args => {
    const kind = fault(context.commandName ?? '');
    if (kind instanceof Error) throw kind;
    const result = await next(args);
    if (kind === 'answer lost')
      throw Object.assign(new Error('socket hang up'), { name: 'TimeoutError', code: 'ECONNRESET' });
    return result;
  },
  { step: 'finalizeRequest', name: 'fault', priority: 'low' },
);

const once = (command: string, kind: 'answer lost' | Error): Fault => {
  let isLeft = true;
  return name => {
    if (!isLeft || name !== command) return undefined;
    isLeft = false;
    return kind;
  };
};

const payload = { type: 'text', text: 't' } as const;

describe.skipIf(isLeftOut('faults'))('when an answer of DynamoDB is lost', () => {
  it('writes a message once', async () => {
    const { client } = await newUser(await install());
    await client.createConversation({ id: 'c' });
    fault = once('PutItemCommand', 'answer lost');

    const { message } = await client.createMessage({ conversationId: 'c', payload });

    expect((await client.listMessages({ conversationId: 'c' })).messages).toEqual([message]);
  });

  it('writes a compressed message once', async () => {
    const { client } = await newUser(await install());
    await client.createConversation({ id: 'c' });
    fault = once('PutItemCommand', 'answer lost');

    await client.createMessage({ conversationId: 'c', payload: { type: 'text', text: 'long '.repeat(80_000) } });

    expect((await client.listMessages({ conversationId: 'c' })).messages).toHaveLength(1);
  });

  it('creates a user with a foreign id instead of rejecting it as its own duplicate', async () => {
    const { chatUrl } = await install();
    fault = once('PutItemCommand', 'answer lost');

    expect((await call(`${chatUrl}/users`, { method: 'POST', body: { id: 'ada' } })).status).toBe(201);
    expect((await call(`${chatUrl}/users`, { method: 'POST', body: { id: 'ada' } })).status).toBe(409);
  });

  it('creates a conversation once, and deletes a message once', async () => {
    const { client } = await newUser(await install());
    fault = once('TransactWriteItemsCommand', 'answer lost');
    await client.createConversation({ id: 'c' });
    const { message } = await client.createMessage({ conversationId: 'c', payload });
    fault = once('TransactWriteItemsCommand', 'answer lost');

    expect(await client.deleteMessage({ id: message.id })).toEqual({});
  });
});

describe.skipIf(isLeftOut('faults'))('when DynamoDB fails', () => {
  it('returns 429 for a throttled request', async () => {
    const installation = await install();
    const { key } = await newUser(installation);
    fault = () => Object.assign(new Error('slow down'), { name: 'ProvisionedThroughputExceededException' });

    const { status, body } = await call(`${installation.chatUrl}/users/me`, { key });

    expect({ status, type: body.type }).toEqual({ status: 429, type: 'RateLimited' });
  });

  it('returns 500 without details for any other failure, in the wire format', async () => {
    const installation = await install();
    const { key } = await newUser(installation);
    fault = () =>
      Object.assign(new Error('table arn:aws:secret is gone'), { name: 'ResourceNotFoundException', $fault: 'client' });

    const { status, body } = await call(`${installation.chatUrl}/users/me`, { key });

    expect({ status, type: body.type }).toEqual({ status: 500, type: 'Internal' });
    expect(body.message).toBe(`Internal error. See ${body.id} in the log.`);
  });
});
