import { expect, it } from 'vitest';
import { write } from '#shared/storage/dynamodb/engine/transaction.ts';
import { setQuota } from '#shared/storage/dynamodb/workspace/usage.ts';
import { newBot, settled, useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();

it('rejects rows beyond the quota, and accepts them immediately after it is raised', async () => {
  const { client, workspace } = await newBot();
  const { table } = await client.createTable({ name: 'numbersTable', schema: { n: { type: 'number' } } });
  const create = (count: number) =>
    client.createTableRows({ table: table.id, rows: Array.from({ length: count }, (_, n) => ({ n })) });
  const limitTo = (rows: number) => write([setQuota(workspace.id, 'table_row_count', rows)]);
  await limitTo(3);

  await create(2);
  await settled();
  const refused = create(2);
  await expect(refused).rejects.toMatchObject({ code: 403, type: 'QuotaExceeded' });
  await limitTo(4);
  const { rows } = await create(2);

  expect(rows).toHaveLength(2);
});
