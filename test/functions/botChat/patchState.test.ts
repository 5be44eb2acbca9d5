import { beforeAll, describe, expect, it } from 'vitest';
import { eventually, newBot, type TestBot, useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();

let bot: TestBot;
beforeAll(async () => {
  bot = await newBot();
});

async function newPlace() {
  const { workflow } = await bot.client.createWorkflow({ name: 'w', status: 'listening' });
  return { type: 'workflow' as const, id: workflow.id, name: 's' };
}
type Place = Awaited<ReturnType<typeof newPlace>>;
const patch = ({ type, id, name }: Place, body: unknown, headers: Record<string, string> = {}) =>
  bot.call('PATCH', `/states/${type}/${id}/${name}`, { body, headers });

describe('PATCH /v1/chat/states/{type}/{id}/{name}', () => {
  it('returns 200 with the state after merging top-level keys', async () => {
    const ref = await newPlace();
    const { state } = await bot.client.setState({ ...ref, payload: { a: 1, b: { c: 2, d: 3 }, e: 4 } });

    const { status, body } = await patch(ref, { payload: { b: { c: 5 }, f: null } });

    expect(status).toBe(200);
    expect(body).toEqual({
      state: { ...state, payload: { a: 1, b: { c: 5 }, e: 4, f: null }, updatedAt: expect.any(String) },
    });
    expect((await bot.client.getState(ref)).state).toEqual(body.state);
  });

  it('keeps the patches of 30 concurrent callers', async () => {
    const ref = await newPlace();
    await bot.client.setState({ ...ref, payload: { first: true } });
    const keys = Array.from({ length: 30 }, (_, i) => `k${i}`);

    const answers = await Promise.all(keys.map(key => patch(ref, { payload: { [key]: key } })));

    expect(answers.map(({ status }) => status)).toEqual(keys.map(() => 200));
    const { state } = await bot.client.getState(ref);
    expect(state.payload).toEqual({ first: true, ...Object.fromEntries(keys.map(key => [key, key])) });
  });

  it('restarts the expiry, with the same duration unless another is given', async () => {
    const ref = await newPlace();
    const { state } = await bot.client.setState({ ...ref, payload: {}, expiry: 60_000 });

    const kept = await eventually(async () => {
      const answer = await bot.client.patchState({ ...ref, payload: {} });
      expect(answer.state.expiresAt! > state.expiresAt!).toBe(true);
      return answer.state;
    });
    const longer = await bot.client.patchState({ ...ref, payload: {}, expiry: 90_000 });
    const forEver = await bot.client.patchState({ ...ref, payload: {}, expiry: null });

    expect([kept.expiry, longer.state.expiry]).toEqual([60_000, 90_000]);
    expect([forEver.state.expiry, forEver.state.expiresAt]).toEqual([undefined, undefined]);
  });

  it('returns 409 and changes nothing when If-Match names another version', async () => {
    const ref = await newPlace();
    await bot.client.setState({ ...ref, payload: { n: 1 } });
    const { headers } = await bot.call('GET', `/states/workflow/${ref.id}/s`);
    const etag = headers.get('etag')!;

    const first = await patch(ref, { payload: { n: 2 } }, { 'if-match': etag });
    const late = await patch(ref, { payload: { n: 3 } }, { 'if-match': etag });
    const next = await patch(ref, { payload: { m: 4 } }, { 'if-match': first.headers.get('etag')! });

    expect([first.status, late.status, next.status]).toEqual([200, 409, 200]);
    expect(late.body.type).toBe('ResourceLockedConflict');
    expect(next.body.state.payload).toEqual({ n: 2, m: 4 });
  });

  it('returns 404 for a missing or removed state and for an unknown owner', async () => {
    const [none, removed] = [await newPlace(), await newPlace()];
    await bot.client.setState({ ...removed, payload: {} });
    await bot.client.setState({ ...removed, payload: null });

    const answers = [
      await patch(none, { payload: {} }),
      await patch(removed, { payload: {} }),
      await patch({ ...none, id: `wf_${'z'.repeat(25)}` }, { payload: {} }),
    ];

    for (const answer of answers) expect(answer).toMatchObject({ status: 404, body: { type: 'ResourceNotFound' } });
  });

  it.each([
    [{}, 'payload'],
    [{ payload: null }, 'payload'],
    [{ payload: {}, expiry: 0 }, 'expiry'],
    [{ payload: {}, expiry: 2_592_000_001 }, 'expiry'],
  ])('returns 400 for %j and names the field', async (fault, path) => {
    const ref = await newPlace();
    await bot.client.setState({ ...ref, payload: {} });

    const { status, body } = await patch(ref, fault);

    expect({ status, type: body.type, path: body.metadata?.issues[0].path }).toEqual({
      status: 400,
      type: 'InvalidPayload',
      path,
    });
  });
});
