/**
 * Call budgets of the files group: the DynamoDB calls of each operation when it is warm. The operations' references
 * declare the budgets.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import { platformApi } from '#infra/gateway/apis.ts';
import type { PlatformOperation } from '#shared/api/operations/platform.ts';
import { untilStatus } from '#test/support/files.ts';
import { newBot, type TestBot, useSharedPlatform } from '#test/support/platform.ts';
import { FILES_REQUESTS, type FilesOperation } from '#test/support/requests/files.ts';
import { callAsBot } from './callOperation.ts';
import { counted } from './counter.ts';
import { expectWithinBudget } from './expectWithinBudget.ts';

useSharedPlatform();

let bot: TestBot;
beforeAll(async () => {
  bot = await newBot();
});

const operationNamed = (name: FilesOperation | 'readPublicContent') =>
  (platformApi.operations as PlatformOperation[]).find(each => each.group === 'files' && each.name === name)!;

describe('a warm call', () => {
  it.each(Object.keys(FILES_REQUESTS) as FilesOperation[])('stays within the budget of %s', async name => {
    const { path, body } = await FILES_REQUESTS[name]({ client: bot.client });
    const warm = await FILES_REQUESTS.getFile({ client: bot.client });
    await callAsBot(operationNamed('getFile'), bot, { path: `/files${warm.path}` });

    const count = await counted(() => callAsBot(operationNamed(name), bot, { path: `/files${path}`, body }));

    expectWithinBudget(operationNamed(name), count);
    if (operationNamed(name).table !== 'writes') expect(count.writes).toBe(0);
  });

  it('stays within the budget of readPublicContent', async () => {
    const { file } = await bot.client.uploadFile({ key: 'a.txt', content: 'a', accessPolicies: ['public_content'] });
    const { url } = await untilStatus(bot.client, file.id, 'upload_completed');
    const path = new URL(url).pathname.replace(/^\/v1/, '');

    const count = await counted(() => callAsBot(operationNamed('readPublicContent'), bot, { path }));

    expectWithinBudget(operationNamed('readPublicContent'), count);
    expect(count.writes).toBe(0);
  });
});
