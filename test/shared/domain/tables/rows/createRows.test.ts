/** Tests that interrupted and repeated calls with an `Idempotency-Key` create each row once. */
import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import * as keys from '#shared/domain/tables/rows/keyHolders.ts';
import * as rowWrites from '#shared/storage/dynamodb/tables/rowWrites.ts';
import {
  apiBaseUrl,
  CROWD,
  call,
  eventually,
  newBot,
  type TestBot,
  useSharedPlatform,
} from '#test/support/platform.ts';
import { newTable } from '#test/support/rowInternals.ts';
import { rowsOf } from '#test/support/tableJobs.ts';

useSharedPlatform();
afterEach(() => vi.restoreAllMocks());

let bot: TestBot;
beforeEach(async () => {
  bot = await newBot();
});

const COUNT = 60;
const ROWS = Array.from({ length: COUNT }, (_, i) => ({ name: `n${i}`, age: i }));

/** Returns a request that can be repeated with the same key. */
const poster = (path: string, body: unknown) => {
  const headers = { 'idempotency-key': randomUUID() };
  return () => call(`${apiBaseUrl()}${path}`, { method: 'POST', token: bot.tokens.bot, botId: bot.id, headers, body });
};

/** Fails the next call after some of its rows are written. */
function killAmid(keyColumn: string | undefined) {
  if (keyColumn) {
    const find = keys.findHolders;
    let groups = 0;
    vi.spyOn(keys, 'findHolders').mockImplementation((...args) =>
      ++groups === 2 ? Promise.reject(new Error('killed')) : find(...args),
    );
    return;
  }
  const put = rowWrites.putRows;
  vi.spyOn(rowWrites, 'putRows').mockImplementationOnce(async (botId, tableId, rows) => {
    await put(botId, tableId, rows.slice(0, 20));
    throw new Error('killed');
  });
}

describe.each([undefined, 'name'])('repeated calls on a table with the key %s', keyColumn => {
  let table: string;
  beforeEach(async () => {
    ({ id: table } = await newTable(bot.client, { name: 'Ada', age: 36 }, { keyColumn }));
  });

  it.each(['', '/upsert'])(
    'keeps written rows, even if they have changed since, and writes the rest: POST rows%s',
    async path => {
      const post = poster(`/v1/tables/${table}/rows${path}`, { rows: ROWS });
      killAmid(keyColumn);

      const killed = await post();
      const first = await eventually(async () => {
        const [row] = await rowsOf(bot.client, table);
        expect(row).toBeDefined();
        return row!;
      });
      await bot.client.updateTableRows({ table, rows: [{ id: Number(first.id), age: 1_000 }] });
      const answer = await post();
      const again = await post();

      expect([killed.status, answer.status, again.status]).toEqual([500, 200, 200]);
      const rows = await rowsOf(bot.client, table);
      expect(rows).toEqual(
        ROWS.map((row, i) => ({ id: i + 1, ...row, ...(i + 1 === first.id ? { age: 1_000 } : {}) })),
      );
      const returned = answer.body.rows ?? answer.body.inserted;
      expect(returned.map(({ id }: { id: number }) => id).sort((a: number, b: number) => a - b)).toEqual(
        rows.map(({ id }) => id),
      );
      expect(again.body).toEqual(answer.body);
    },
  );

  it('creates each row once when calls are concurrent', async () => {
    const post = poster(`/v1/tables/${table}/rows`, { rows: ROWS });

    const answers = await Promise.all(Array.from({ length: Math.min(CROWD, 8) }, post));

    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    // Either call may have assigned the ids.
    const rows = (await rowsOf(bot.client, table)).map(({ id: _, ...row }) => row);
    expect(rows).toEqual(ROWS);
  });
});

it('creates new rows for a call with a different key', async () => {
  const { id: table } = await newTable(bot.client, { name: 'Ada', age: 36 });

  for (let i = 0; i < 2; i++) await poster(`/v1/tables/${table}/rows`, { rows: ROWS })();

  expect(await rowsOf(bot.client, table)).toHaveLength(2 * COUNT);
});
