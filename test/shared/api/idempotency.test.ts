/**
 * Tests `Idempotency-Key`: the first response is stored for 24 hours, and the same key with another request is a 400.
 */

import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { CROWD, call, type Installation, install, newUser, useSharedPlatform } from '#test/support/platform.ts';
import { random } from '#test/support/seed.ts';

useSharedPlatform();

const poster =
  ({ chatUrl }: Installation, key: string | undefined) =>
  (path: string, body: unknown, idempotencyKey?: string) =>
    call(chatUrl + path, {
      method: 'POST',
      key,
      body,
      headers: idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey },
    });

async function setUp() {
  const installation = await install();
  const user = await newUser(installation);
  const { user: guest, key: guestKey } = await newUser(installation, { id: 'guest' });
  await user.client.createConversation({ id: 'c' });
  return { ...user, guest, guestKey, installation, post: poster(installation, user.key) };
}

const message = (text: string) => ({ conversationId: 'c', payload: { type: 'text', text } });

describe('Idempotency-Key', () => {
  it.each([
    ['/messages', message('once')],
    ['/events', { conversationId: 'c', payload: { a: 1 } }],
    ['/conversations', {}],
    ['/conversations', { id: 'named' }],
    ['/conversations/get-or-create', { id: 'named' }],
    ['/users', { name: 'Ada' }],
    ['/users/get-or-create', { name: 'Ada' }],
    ['/conversations/c/participants', { userId: 'guest' }],
  ])('makes POST %s %j take effect once, with the same response', async (path, body) => {
    const { post } = await setUp();
    const key = randomUUID();

    const first = await post(path, body, key);
    const second = await post(path, body, key);

    expect(first.status).toBeLessThan(300);
    expect({ status: second.status, body: second.body }).toEqual({ status: first.status, body: first.body });
    expect([first, second].map(({ headers }) => headers.get('idempotent-replayed'))).toEqual([null, 'true']);
  });

  it('writes one message for concurrent calls with the same key', async () => {
    const { post, client } = await setUp();
    const key = randomUUID();

    const answers = await Promise.all(
      Array.from({ length: Math.min(CROWD, 20) }, () => post('/messages', message('once'), key)),
    );

    expect(new Set(answers.map(({ body }) => body.message.id)).size).toBe(1);
    expect((await client.listMessages({ conversationId: 'c' })).messages).toHaveLength(1);
  });

  it('returns 400 for a key reused with another body or operation, and writes nothing', async () => {
    const { post, client } = await setUp();
    const key = randomUUID();
    await post('/messages', message('one'), key);

    const otherBody = await post('/messages', message('two'), key);
    const otherOperation = await post('/events', { conversationId: 'c', payload: {} }, key);

    for (const { status, body } of [otherBody, otherOperation]) {
      expect({ status, path: body.metadata.issues[0].path }).toEqual({ status: 400, path: 'Idempotency-Key' });
    }
    expect((await client.listMessages({ conversationId: 'c' })).messages).toHaveLength(1);
  });

  it('is scoped to its caller', async () => {
    const { post, installation, guestKey, client } = await setUp();
    await client.addParticipant({ conversationId: 'c', userId: 'guest' });
    const asGuest = poster(installation, guestKey);

    await post('/messages', message('same'), 'key');
    const answer = await asGuest('/messages', message('same'), 'key');

    expect(answer.body.message.userId).toBe('guest');
  });

  it('stores no errors, so that a retry may succeed', async () => {
    const { post, client } = await setUp();
    const key = randomUUID();

    const refused = await post('/messages', { ...message('t'), conversationId: 'later' }, key);
    await client.createConversation({ id: 'later' });
    const taken = await post('/messages', { ...message('t'), conversationId: 'later' }, key);

    expect([refused.status, taken.status]).toEqual([404, 201]);
  });

  it('returns the first response even after the caller loses the permission', async () => {
    const { post, installation, guestKey, client } = await setUp();
    await client.addParticipant({ conversationId: 'c', userId: 'guest' });
    const asGuest = poster(installation, guestKey);
    const first = await asGuest('/messages', message('t'), 'key');
    await client.removeParticipant({ conversationId: 'c', userId: 'guest' });

    const again = await asGuest('/messages', message('t'), 'key');

    expect({ status: again.status, body: again.body }).toEqual({ status: 201, body: first.body });
    expect((await post('/messages', message('t'), 'key')).body.message.id).not.toBe(first.body.message.id);
  });

  it('stores a response of a megabyte', async () => {
    const { post } = await setUp();
    const text = Array.from({ length: 900_000 }, () => random().toString(36)[2]).join('');

    const first = await post('/messages', message(text), 'key');
    const again = await post('/messages', message(text), 'key');

    expect(again.status).toBe(201);
    expect(again.body.message.id).toBe(first.body.message.id);
    expect(again.body.message.payload.text === text).toBe(true);
  });

  it.each(['', 'x'.repeat(256), 'with space'])('returns 400 for the key %j', async key => {
    const { post } = await setUp();

    const { status, body } = await post('/messages', message('t'), key);

    expect({ status, path: body.metadata.issues[0].path }).toEqual({ status: 400, path: 'Idempotency-Key' });
  });
});
