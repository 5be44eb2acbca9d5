/** Crashes and lost answers between us and the database: what was asked for happens once, and no caller sees a 502. */
import { afterEach, describe, expect, it } from 'vitest';
import { documents } from '#shared/dynamodb/client.ts';
import { call, install, isLeftOut, newUser, usePlatform } from '#test/support/platform.ts';

usePlatform();

type Fault = (commandName: string) => 'answer lost' | Error | undefined;
let fault: Fault = () => undefined;
afterEach(() => {
  fault = () => undefined;
});

// Inside the SDK's own repetition, so that it meets a fault as it would on the wire.
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

describe.skipIf(isLeftOut('faults'))('when an answer of the database is lost', () => {
  it('a message is written once', async () => {
    const { client } = await newUser(await install());
    await client.createConversation({ id: 'c' });
    fault = once('PutItemCommand', 'answer lost');

    const { message } = await client.createMessage({ conversationId: 'c', payload });

    expect((await client.listMessages({ conversationId: 'c' })).messages).toEqual([message]);
  });

  it('a user with an id of his own is created, not refused as a duplicate of himself', async () => {
    const { chatUrl } = await install();
    fault = once('PutItemCommand', 'answer lost');

    expect((await call(`${chatUrl}/users`, { method: 'POST', body: { id: 'ada' } })).status).toBe(201);
    expect((await call(`${chatUrl}/users`, { method: 'POST', body: { id: 'ada' } })).status).toBe(409);
  });

  it('a conversation is created once, and a message deleted once', async () => {
    const { client } = await newUser(await install());
    fault = once('TransactWriteItemsCommand', 'answer lost');
    await client.createConversation({ id: 'c' });
    const { message } = await client.createMessage({ conversationId: 'c', payload });
    fault = once('TransactWriteItemsCommand', 'answer lost');

    expect(await client.deleteMessage({ id: message.id })).toEqual({});
  });
});

describe.skipIf(isLeftOut('faults'))('when the database refuses', () => {
  it('for being asked too much, the caller is told to come back', async () => {
    const installation = await install();
    const { key } = await newUser(installation);
    fault = () => Object.assign(new Error('slow down'), { name: 'ProvisionedThroughputExceededException' });

    const { status, body } = await call(`${installation.chatUrl}/users/me`, { key });

    expect({ status, type: body.type }).toEqual({ status: 429, type: 'RateLimited' });
  });

  it('for any other reason, the caller gets a 500 that says nothing, in the wire shape', async () => {
    const installation = await install();
    const { key } = await newUser(installation);
    fault = () =>
      Object.assign(new Error('table arn:aws:secret is gone'), { name: 'ResourceNotFoundException', $fault: 'client' });

    const { status, body } = await call(`${installation.chatUrl}/users/me`, { key });

    expect({ status, type: body.type }).toEqual({ status: 500, type: 'Internal' });
    expect(body.message).toBe(`Internal error. The log has the details under ${body.id}.`);
  });
});
