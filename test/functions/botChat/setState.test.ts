import { beforeAll, describe, expect, it } from 'vitest';
import { eventually, newBot, type TestBot, useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();

let bot: TestBot;
beforeAll(async () => {
  bot = await newBot();
});

/** A state that no other test uses. */
async function newPlace() {
  const { conversation } = await bot.client.createConversation({ channel: 'channel', tags: {} });
  return { type: 'conversation' as const, id: conversation.id, name: 's' };
}
type Place = Awaited<ReturnType<typeof newPlace>>;
const pathOf = ({ type, id, name }: Place) => `/states/${type}/${id}/${name}`;
const post = (ref: Place, body: unknown, headers: Record<string, string> = {}) =>
  bot.call('POST', pathOf(ref), { body, headers });

describe('POST /v1/chat/states/{type}/{id}/{name}', () => {
  it('returns 200 with the state and replaces the existing one', async () => {
    const ref = await newPlace();

    const first = await post(ref, { payload: { a: 1, b: 2 } });
    const second = await post(ref, { payload: { b: 3 } });

    expect([first.status, second.status]).toEqual([200, 200]);
    expect(first.body.state).toMatchObject({ type: 'conversation', name: 's', payload: { a: 1, b: 2 } });
    expect(second.body).toEqual({
      state: { ...first.body.state, payload: { b: 3 }, updatedAt: expect.any(String) },
    });
    expect((await bot.client.getState(ref)).state).toEqual(second.body.state);
  });

  it('removes a state with a null payload, and accepts a missing state', async () => {
    const ref = await newPlace();
    await bot.client.setState({ ...ref, payload: { a: 1 } });

    const answers = [await post(ref, { payload: null }), await post(ref, { payload: null })];

    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect((await bot.call('GET', pathOf(ref))).status).toBe(404);
  });

  it('stores a payload of 600 KB', async () => {
    const ref = await newPlace();
    const text = '"🦜'.repeat(120_000);

    await bot.client.setState({ ...ref, payload: { text } });

    expect((await bot.client.getState(ref)).state.payload.text === text).toBe(true);
  });

  it('expires the state, and creates an event with it', async () => {
    const ref = await newPlace();

    const { state } = await bot.client.setState({ ...ref, payload: { a: 1 }, expiry: 600 });

    expect(Date.parse(state.expiresAt!) - Date.parse(state.updatedAt)).toBe(600);
    await eventually(async () => expect((await bot.call('GET', pathOf(ref))).status).toBe(404));
    await eventually(async () => {
      const { events } = await bot.client.listEvents({ conversationId: ref.id, type: 'state_expired' });
      expect(events).toEqual([
        expect.objectContaining({ type: 'state_expired', conversationId: ref.id, payload: { state } }),
      ]);
    });
  });

  it('creates the event for an expired state that is removed before the timer fires', async () => {
    const ref = await newPlace();
    const { state } = await bot.client.setState({ ...ref, payload: { a: 1 }, expiry: 1 });
    await eventually(async () => expect((await bot.call('GET', pathOf(ref))).status).toBe(404));

    await bot.client.setState({ ...ref, payload: null });

    await eventually(async () => {
      const { events } = await bot.client.listEvents({ conversationId: ref.id, type: 'state_expired' });
      expect(events.map(({ payload }) => payload)).toEqual([{ state }]);
    });
  });

  it('restarts the expiry, with the same duration unless another is given', async () => {
    const ref = await newPlace();
    const first = await bot.client.setState({ ...ref, payload: {}, expiry: 60_000 });

    const kept = await eventually(async () => {
      const { state } = await bot.client.setState({ ...ref, payload: {} });
      expect(state.expiresAt! > first.state.expiresAt!).toBe(true);
      return state;
    });
    const ended = await bot.client.setState({ ...ref, payload: {}, expiry: null });

    expect(kept.expiry).toBe(60_000);
    expect([ended.state.expiry, ended.state.expiresAt]).toEqual([undefined, undefined]);
  });

  it('returns 409 and changes nothing when If-Match names another version', async () => {
    const ref = await newPlace();
    const first = await post(ref, { payload: { n: 1 } });
    const etag = first.headers.get('etag')!;

    const second = await post(ref, { payload: { n: 2 } }, { 'if-match': etag });
    const late = await post(ref, { payload: { n: 3 } }, { 'if-match': etag });
    const lateRemoval = await post(ref, { payload: null }, { 'if-match': etag });
    const none = await post({ ...ref, name: 'none' }, { payload: {} }, { 'if-match': etag });

    expect([second.status, late.status, lateRemoval.status, none.status]).toEqual([200, 409, 409, 409]);
    expect(late.body.type).toBe('ResourceLockedConflict');
    expect((await bot.client.getState(ref)).state.payload).toEqual({ n: 2 });
  });

  it.each([
    [{}, 'payload'],
    [{ payload: 'a' }, 'payload'],
    [{ payload: [] }, 'payload'],
    [{ payload: {}, expiry: 0 }, 'expiry'],
    [{ payload: {}, expiry: 2_592_000_001 }, 'expiry'],
    [{ payload: {}, expiry: 1.5 }, 'expiry'],
    [{ payload: {}, expiry: '1' }, 'expiry'],
  ])('returns 400 for %j and names the field', async (fault, path) => {
    const { status, body } = await post({ type: 'bot' as 'conversation', id: bot.id, name: 's' }, fault);

    expect({ status, type: body.type, path: body.metadata?.issues[0].path }).toEqual({
      status: 400,
      type: 'InvalidPayload',
      path,
    });
  });

  it('returns 404 for a missing or deleted owner, and to an integration for a bot state', async () => {
    const deleted = await newPlace();
    await bot.client.deleteConversation({ id: deleted.id });

    const answers = [
      await post(deleted, { payload: {} }),
      await post({ ...deleted, id: 'no-such' }, { payload: {} }),
      await bot.call('POST', `/states/bot/${bot.id}/s`, {
        token: bot.tokens.integration,
        headers: { 'x-integration-alias': 'chat' },
        body: { payload: {} },
      }),
    ];

    for (const answer of answers) expect(answer).toMatchObject({ status: 404, body: { type: 'ResourceNotFound' } });
  });
});
