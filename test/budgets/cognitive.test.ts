/**
 * Call budgets of the cognitive group: the DynamoDB calls of each operation when it is warm. The operations' references
 * declare the budgets.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import { platformApi } from '#infra/gateway/apis.ts';
import type { PlatformOperation } from '#shared/api/operations/platform.ts';
import { useModel } from '#test/support/languageModel.ts';
import { newBot, settled, type TestBot, useSharedPlatform } from '#test/support/platform.ts';
import { COGNITIVE_REQUESTS, type CognitiveOperation } from '#test/support/requests/cognitive.ts';
import { callAsBot } from './callOperation.ts';
import { counted } from './counter.ts';
import { expectWithinBudget } from './expectWithinBudget.ts';

useSharedPlatform();
useModel();

let bot: TestBot;
beforeAll(async () => {
  bot = await newBot();
});

const operationNamed = (name: CognitiveOperation) =>
  (platformApi.operations as PlatformOperation[]).find(each => each.group === 'cognitive' && each.name === name)!;

describe('a warm call', () => {
  it.each(Object.keys(COGNITIVE_REQUESTS) as CognitiveOperation[])('stays within the budget of %s', async name => {
    const { path, body } = COGNITIVE_REQUESTS[name]();
    await callAsBot(operationNamed('listModels'), bot, { path: '/cognitive/models' });
    await settled();

    const count = await counted(() => callAsBot(operationNamed(name), bot, { path: `/cognitive${path}`, body }));

    expectWithinBudget(operationNamed(name), count);
    if (operationNamed(name).table !== 'writes') expect(count.writes).toBe(0);
  });
});
