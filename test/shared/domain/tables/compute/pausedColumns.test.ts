import { describe, expect, it } from 'vitest';
import { clock } from '#shared/core/clock.ts';
import { randomText } from '#shared/core/ids.ts';
import { unlessPaused } from '#shared/domain/tables/compute/pausedColumns.ts';
import { eventually, isLeftOut, newBot, settled, useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();

const LATE = { error: 'late', isTimeout: true } as const;

/** Runs a column of its own, and counts the runs of its code. */
function newColumn() {
  const column = ['bot', 'table', randomText(8)];
  let runs = 0;
  const compute = (result: Parameters<typeof unlessPaused>[1] extends () => Promise<infer R> ? R : never) =>
    unlessPaused(column, async () => {
      runs++;
      return result;
    });
  const timeOut = async (times: number) => {
    for (let i = 0; i < times; i++) await compute(LATE);
  };
  return { column, compute, timeOut, runs: () => runs };
}

describe('a column whose code times out', () => {
  it('is paused after 10 timeouts in a row, with an error that states the pause', async () => {
    const { compute, timeOut, runs } = newColumn();
    await timeOut(10);

    const result = await compute({ value: 1 });

    expect(result).toEqual({ error: expect.stringMatching(/^The column is paused for a minute, .*10 rows in a row/) });
    expect(runs()).toBe(10);
  });

  it('continues while some rows finish in time', async () => {
    const { compute, timeOut } = newColumn();
    await timeOut(9);
    await compute({ value: 1 });
    await timeOut(9);

    expect(await compute({ value: 2 })).toEqual({ value: 2 });
  });

  it('is retried after a minute, and paused again by one more timeout', async () => {
    const { compute, timeOut, runs } = newColumn();
    await timeOut(10);
    clock.advance(60_000);

    expect(await compute(LATE)).toEqual(LATE);

    expect(await compute({ value: 1 })).toMatchObject({ error: expect.stringContaining('paused') });
    expect(runs()).toBe(11);
  });

  it.skipIf(isLeftOut('clock'))(
    'fails the cells of the table without running them, until its code changes',
    async () => {
      const { client } = await newBot();
      const columnOf = (code: string) => ({
        'x-zui': { computed: { action: 'code', dependencies: ['n'], code } },
        type: 'number',
      });
      const schema = (code: string) => ({
        type: 'object',
        properties: { n: { type: 'number' }, twice: columnOf(code) },
      });
      await client.createTable({ name: 'SlowTable', schema: schema('while (true) {} return 1') } as never);
      await client.createTableRows({ table: 'SlowTable', rows: Array.from({ length: 12 }, (_, n) => ({ n })) });
      await settled();
      const errorsOf = async () =>
        (await client.findTableRows({ table: 'SlowTable', limit: 20 })).rows.map(
          ({ computed }) => computed.twice?.error,
        );

      const stopped = (await errorsOf()).filter(error => error?.includes('paused'));
      await client.updateTable({ table: 'SlowTable', schema: schema('row.n * 2') } as never);
      await settled();

      expect(stopped).toHaveLength(2);
      await eventually(async () => expect(await errorsOf()).toEqual(Array(12).fill(undefined)));
    },
  );
});
