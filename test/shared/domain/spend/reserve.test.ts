/** Tests ceilings of spend after timeouts and crashes, and across months. */
import { beforeEach, describe, expect, it } from 'vitest';
import { RequestRejectedError } from '#shared/ai/postJson.ts';
import { ThrottledError } from '#shared/ai/throttledError.ts';
import { clock } from '#shared/core/clock.ts';
import { generate } from '#shared/domain/cognitive/generateText.ts';
import { reserve, withSpendReservation } from '#shared/domain/spend/reserve.ts';
import { readItem } from '#shared/storage/dynamodb/engine/query.ts';
import { retryConflicts, write } from '#shared/storage/dynamodb/engine/transaction.ts';
import { gaugeKey } from '#shared/storage/dynamodb/keys/workspace.ts';
import { NANODOLLARS, reserveSpend, returnSpend, setSpendingLimit } from '#shared/storage/dynamodb/workspace/spend.ts';
import { setQuota } from '#shared/storage/dynamodb/workspace/usage.ts';
import { dieWithin } from '#test/support/crashes.ts';
import { useModel } from '#test/support/languageModel.ts';
import { newBot, type TestBot, usePlatform } from '#test/support/platform.ts';

usePlatform();
const model = useModel();

let bot: TestBot;
beforeEach(async () => {
  bot = await newBot();
});

const spender = () => ({ workspaceId: bot.workspace.id, botId: bot.id });
const ofWorkspace = async () => Number((await readItem(gaugeKey(bot.workspace.id, 'ai_spend')))?.value ?? 0);
const ofBot = async () => (await bot.workspace.owner.client.getUsage({ id: bot.id, type: 'ai_spend' })).usage.value;
const reserved = (dollars: number, at: string) =>
  retryConflicts(() => reserveSpend(bot.workspace.id, dollars * NANODOLLARS, Date.parse(at))).then(
    () => true,
    error => {
      expect(error).toMatchObject({ type: 'QuotaExceeded' });
      return false;
    },
  );

describe('a call that costs money', () => {
  it('counts the maximum cost when the model times out', async () => {
    model.plan({ hangs: true });

    const timedOut = generate(
      { messages: [{ role: 'user', content: 'What?' }], maxTokens: 500 },
      { ...spender(), deadlineMs: clock.now() + 3_050 },
    );

    await expect(timedOut).rejects.toMatchObject({ type: 'OperationTimeout' });
    expect(await ofWorkspace()).toBeGreaterThan(2 * NANODOLLARS);
    expect(await ofBot()).toBe(await ofWorkspace());
  });

  it('is not retried after a broken connection, and counts the maximum cost', async () => {
    model.plan({ drops: true });

    const broken = generate(
      { messages: [{ role: 'user', content: 'What?' }], maxTokens: 500 },
      { ...spender(), deadlineMs: clock.now() + 20_000 },
    );

    await expect(broken).rejects.toMatchObject({ type: 'RateLimited' });
    expect(model.requests).toHaveLength(1);
    expect(await ofBot()).toBeGreaterThan(2 * NANODOLLARS);
  });

  it.each([
    ['was refused', new RequestRejectedError('no', 400), 0],
    ['never reached the provider', new ThrottledError('the model', 'busy'), 0],
    ['may have reached the provider', new ThrottledError('the model', 'reset', { mayBeBilled: true }), 1],
    ['received an invalid response', new RequestRejectedError('no response'), 1],
    ['failed in a way that is not known', new Error('?'), 1],
  ])('counts the cost of a call that %s', async (_, error, dollars) => {
    await expect(withSpendReservation(spender(), 1, () => Promise.reject(error))).rejects.toBe(error);

    expect([await ofWorkspace(), await ofBot()]).toEqual([dollars * NANODOLLARS, dollars * NANODOLLARS]);
  });

  it.each(['unsent', 'lost'] as const)('is never undercounted after a crash at any of its writes (%s)', async death => {
    let isOver = false;
    for (let at = 1; !isOver && at < 20; at++) {
      bot = await newBot();
      let hasBegun = false;
      const hasDied = await dieWithin({ at, death }, () =>
        withSpendReservation(spender(), 1, async () => {
          hasBegun = true;
          return { result: undefined, dollars: 0.25 };
        }),
      );
      isOver = !hasDied;

      const [workspace, ofTheBot] = [await ofWorkspace(), await ofBot()];
      if (hasBegun) {
        expect(Math.min(workspace, ofTheBot), `call ${at}`).toBeGreaterThanOrEqual(0.25 * NANODOLLARS);
        expect(Math.max(workspace, ofTheBot), `call ${at}`).toBeLessThanOrEqual(NANODOLLARS);
      }
      if (isOver) expect([workspace, ofTheBot]).toEqual([0.25 * NANODOLLARS, 0.25 * NANODOLLARS]);
    }
    expect(isOver).toBe(true);
  });

  it('records its cost once for concurrent callers', async () => {
    const reservation = await reserve(spender(), 1);

    await Promise.all([reservation.settle(0.5), reservation.settle(0.25)]);

    expect(await ofWorkspace()).toBe(0.5 * NANODOLLARS);
  });
});

describe('the ceilings of a month', () => {
  it('applies the lower of the quota and the spendingLimit', async () => {
    const { id } = bot.workspace;
    await write([setQuota(id, 'ai_spend', 5 * NANODOLLARS)]);
    await write([setSpendingLimit(id, 3)]);

    expect(await reserved(4, '2026-01-31T00:00:00Z')).toBe(false);
    await write([setSpendingLimit(id, 0)]);
    expect(await reserved(4, '2026-01-31T00:00:00Z')).toBe(true);
    expect(await reserved(2, '2026-01-31T00:00:00Z')).toBe(false);
    await write([setQuota(id, 'ai_spend', undefined)]);
    expect(await reserved(2, '2026-01-31T00:00:00Z')).toBe(true);
  });

  it('includes earlier spend', async () => {
    expect(await reserved(4, '2026-01-01T00:00:00Z')).toBe(true);
    await write([setSpendingLimit(bot.workspace.id, 5)]);

    expect(await reserved(2, '2026-01-31T00:00:00Z')).toBe(false);
  });

  it('resets once per month for concurrent callers', async () => {
    await write([setSpendingLimit(bot.workspace.id, 5)]);
    expect(await reserved(5, '2026-01-31T23:59:59Z')).toBe(true);
    expect(await reserved(6, '2026-02-01T00:00:00Z')).toBe(false);

    const results = await Promise.all(Array.from({ length: 8 }, () => reserved(1, '2026-02-01T00:00:00Z')));

    expect(results.filter(Boolean)).toHaveLength(5);
    expect(await returnSpend(bot.workspace.id, 5 * NANODOLLARS, Date.parse('2026-01-31T23:59:59Z'))).toBe(false);
    expect(await ofWorkspace()).toBe(5 * NANODOLLARS);
  });

  it('applies to a function whose clock is a month behind', async () => {
    await write([setSpendingLimit(bot.workspace.id, 5)]);
    expect(await reserved(4, '2026-02-01T00:00:00Z')).toBe(true);

    expect(await reserved(2, '2026-01-31T23:59:59Z')).toBe(false);
  });
});
