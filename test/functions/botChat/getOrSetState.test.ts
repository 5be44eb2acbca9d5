import { beforeAll, describe, expect, it } from 'vitest';
import { CROWD, crowds, eventually, newBot, type TestBot, useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();

let bot: TestBot;
beforeAll(async () => {
  bot = await newBot();
});

async function newPlace() {
  const { user } = await bot.client.createUser({ tags: {} });
  return { type: 'user' as const, id: user.id, name: 's' };
}
type Place = Awaited<ReturnType<typeof newPlace>>;
const post = ({ type, id, name }: Place, body: unknown) =>
  bot.call('POST', `/states/${type}/${id}/${name}/get-or-set`, { body });

describe('POST /v1/chat/states/{type}/{id}/{name}/get-or-set', () => {
  it('returns 200 with the new state, and later with the existing one', async () => {
    const ref = await newPlace();

    const first = await post(ref, { payload: { a: 1 } });
    const second = await post(ref, { payload: { a: 2 } });

    expect([first.status, second.status]).toEqual([200, 200]);
    expect(first.body).toEqual({
      state: {
        id: expect.stringMatching(/^state_/),
        createdAt: expect.any(String),
        updatedAt: expect.any(String),
        botId: bot.id,
        userId: ref.id,
        name: 's',
        type: 'user',
        payload: { a: 1 },
      },
      meta: { cached: false },
    });
    expect(second.body).toEqual(first.body);
    expect(second.headers.get('etag')).toBe(first.headers.get('etag'));
  });

  it('sets the state once for many concurrent callers', async () => {
    const ref = await newPlace();

    const answers = await crowds(CROWD, by => post(ref, { payload: { by } }));

    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    const { state } = await bot.client.getState(ref);
    for (const { body } of answers) expect(body.state).toEqual(state);
  });

  it('restarts the expiry of an existing state and keeps its payload', async () => {
    const ref = await newPlace();
    const { state } = await bot.client.setState({ ...ref, payload: { a: 1 }, expiry: 60_000 });

    const kept = await eventually(async () => {
      const answer = await bot.client.getOrSetState({ ...ref, payload: { a: 2 }, expiry: 1000 });
      expect(answer.state.expiresAt! > state.expiresAt!).toBe(true);
      return answer.state;
    });

    expect(kept).toEqual({ ...state, expiresAt: kept.expiresAt });
    expect((await bot.client.getState(ref)).state).toEqual(kept);
  });

  it('sets an expired state again', async () => {
    const ref = await newPlace();
    await bot.client.setState({ ...ref, payload: { life: 1 }, expiry: 100 });

    const second = await eventually(async () => {
      // getOrSetState would postpone the expiry, so poll with getState.
      await expect(bot.client.getState(ref)).rejects.toMatchObject({ code: 404 });
      return bot.client.getOrSetState({ ...ref, payload: { life: 2 } });
    });

    expect(second.state).toMatchObject({ payload: { life: 2 } });
    expect(second.state.expiry).toBeUndefined();
    await eventually(async () => {
      const { events } = await bot.client.listEvents({ userId: ref.id, type: 'state_expired' });
      expect(events.map(({ payload }) => payload.state.payload)).toEqual([{ life: 1 }]);
    });
  });

  it.each([
    [{}, 'payload'],
    [{ payload: null }, 'payload'],
    [{ payload: {}, expiry: 0 }, 'expiry'],
    [{ payload: {}, expiry: 2_592_000_001 }, 'expiry'],
  ])('returns 400 for %j and names the field', async (fault, path) => {
    const { status, body } = await post(await newPlace(), fault);

    expect({ status, type: body.type, path: body.metadata?.issues[0].path }).toEqual({
      status: 400,
      type: 'InvalidPayload',
      path,
    });
  });

  it('returns 400 for an unknown type and 404 for an unknown owner', async () => {
    const ref = await newPlace();

    const unknownType = await post({ ...ref, type: 'task' as 'user' }, { payload: {} });
    const noOwner = await post({ ...ref, id: `user_${'z'.repeat(24)}` }, { payload: {} });

    expect(unknownType).toMatchObject({ status: 400, body: { metadata: { issues: [{ path: 'type' }] } } });
    expect(noOwner).toMatchObject({ status: 404, body: { type: 'ResourceNotFound' } });
  });
});
