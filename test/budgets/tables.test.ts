/**
 * Call budgets of the tables group: the DynamoDB calls of each operation when it is warm. The operations' references
 * declare the budgets.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import { platformApi } from '#infra/gateway/apis.ts';
import type { PlatformOperation } from '#shared/api/operations/platform.ts';
import { newBot, settled, type TestBot, useSharedPlatform } from '#test/support/platform.ts';
import { TABLES_REQUESTS, type TablesOperation } from '#test/support/requests/tables.ts';
import { callAsBot } from './callOperation.ts';
import { counted } from './counter.ts';
import { expectWithinBudget } from './expectWithinBudget.ts';

useSharedPlatform();

let bot: TestBot;
beforeAll(async () => {
  bot = await newBot();
});

const operationNamed = (name: TablesOperation) =>
  (platformApi.operations as PlatformOperation[]).find(each => each.group === 'tables' && each.name === name)!;

describe('a warm call', () => {
  it.each(Object.keys(TABLES_REQUESTS) as TablesOperation[])('stays within the budget of %s', async name => {
    const { path, body } = await TABLES_REQUESTS[name]({ client: bot.client });
    await callAsBot(operationNamed('listTables'), bot, { path: '/tables' });
    // The consumer that counts rows can conflict with the deletion of the table.
    await settled();

    const count = await counted(() => callAsBot(operationNamed(name), bot, { path: `/tables${path}`, body }));

    expectWithinBudget(operationNamed(name), count);
    if (operationNamed(name).table !== 'writes') expect(count.writes).toBe(0);
  });
});
