import { beforeAll, describe, expect, it } from 'vitest';
import { eventually, newBot, type TestBot, useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();

let bot: TestBot;
beforeAll(async () => {
  bot = await newBot();
});

let places = 0;
/** A state that no other test uses. */
const newPlace = () => ({ type: 'bot' as const, id: bot.id, name: `s${places++}` });
type Place = ReturnType<typeof newPlace>;
const pathOf = ({ type, id, name }: Place) => `/states/${type}/${id}/${name}`;
const post = (ref: Place, body: unknown, headers: Record<string, string> = {}) =>
  bot.call('POST', `${pathOf(ref)}/expiry`, { body, headers });
const isThere = async (ref: Place) => (await bot.call('GET', pathOf(ref))).status === 200;
/** Returns the events of an expired state. */
const delivered = async ({ name }: Place) =>
  (await bot.client.listEvents({ type: 'state_expired', pageSize: 100 })).events
    .map(({ payload }) => payload.state)
    .filter(state => state.name === name);

describe('POST /v1/chat/states/{type}/{id}/{name}/expiry', () => {
  it('returns 200 with the state, its deadline and its unchanged payload', async () => {
    const ref = newPlace();
    const { state } = await bot.client.setState({ ...ref, payload: { a: 1 } });

    const { status, body } = await post(ref, { expiry: 60_000 });

    expect(status).toBe(200);
    expect(body).toEqual({
      state: {
        ...state,
        updatedAt: expect.any(String),
        expiry: 60_000,
        expiresAt: new Date(Date.parse(body.state.updatedAt) + 60_000).toISOString(),
      },
    });
    expect((await bot.client.getState(ref)).state).toEqual(body.state);
  });

  it('expires the state with one event', async () => {
    const ref = newPlace();
    await bot.client.setState({ ...ref, payload: { a: 1 } });

    const { state } = await bot.client.setStateExpiry({ ...ref, expiry: 300 });

    await eventually(async () => expect(await isThere(ref)).toBe(false));
    await eventually(async () => expect(await delivered(ref)).toEqual([state]));
  });

  it('removes the expiry with null', async () => {
    const [kept, other] = [newPlace(), newPlace()];
    await bot.client.setState({ ...kept, payload: { a: 1 }, expiry: 1000 });
    const { state } = await bot.client.setStateExpiry({ ...kept, expiry: null });
    await bot.client.setState({ ...other, payload: {}, expiry: 1200 });

    await eventually(async () => expect(await delivered(other)).toHaveLength(1));

    expect([state.expiry, state.expiresAt]).toEqual([undefined, undefined]);
    expect(await isThere(kept)).toBe(true);
    expect(await delivered(kept)).toEqual([]);
  });

  it('creates the event at the postponed deadline only', async () => {
    const [prolonged, other] = [newPlace(), newPlace()];
    await bot.client.setState({ ...prolonged, payload: {}, expiry: 1000 });
    await bot.client.setStateExpiry({ ...prolonged, expiry: 600_000 });
    await bot.client.setState({ ...other, payload: {}, expiry: 1200 });

    await eventually(async () => expect(await delivered(other)).toHaveLength(1));

    expect(await isThere(prolonged)).toBe(true);
    expect(await delivered(prolonged)).toEqual([]);
  });

  it('returns 409 when If-Match names another version', async () => {
    const ref = newPlace();
    await bot.client.setState({ ...ref, payload: { n: 1 } });
    const etag = (await bot.call('GET', pathOf(ref))).headers.get('etag')!;

    const first = await post(ref, { expiry: 60_000 }, { 'if-match': etag });
    const late = await post(ref, { expiry: null }, { 'if-match': etag });

    expect([first.status, late.status]).toEqual([200, 409]);
    expect(late.body.type).toBe('ResourceLockedConflict');
    expect((await bot.client.getState(ref)).state.expiry).toBe(60_000);
  });

  it.each([0, -1, 2_592_000_001, 1.5, '1000', undefined])('returns 400 that names %j', async expiry => {
    const ref = newPlace();
    await bot.client.setState({ ...ref, payload: {} });

    const { status, body } = await post(ref, { expiry });

    expect({ status, type: body.type, path: body.metadata?.issues[0].path }).toEqual({
      status: 400,
      type: 'InvalidPayload',
      path: 'expiry',
    });
  });

  it.each([1, 2_592_000_000])('accepts the limit %d', async expiry => {
    const ref = newPlace();
    await bot.client.setState({ ...ref, payload: {} });

    const { status, body } = await post(ref, { expiry });

    expect([status, body.state.expiry]).toEqual([200, expiry]);
  });

  it('returns 404 for an unknown state', async () => {
    const answer = await post(newPlace(), { expiry: 1000 });

    expect(answer).toMatchObject({ status: 404, body: { type: 'ResourceNotFound' } });
  });
});
