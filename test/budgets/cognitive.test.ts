/**
 * Call budgets of the cognitive group: the DynamoDB calls of each operation when it is warm. An operation without a
 * budget does not compile.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import { platformApi } from '#infra/gateway/apis.ts';
import type { PlatformOperation } from '#shared/api/operations/platform.ts';
import { useModel } from '#test/support/languageModel.ts';
import { newBot, settled, type TestBot, useSharedPlatform } from '#test/support/platform.ts';
import { COGNITIVE_REQUESTS, type CognitiveOperation } from '#test/support/requests/cognitive.ts';
import { callAsBot } from './callOperation.ts';
import { counted } from './counter.ts';

useSharedPlatform();
useModel();

/** Four writes count the spend: the reserved maximum and the refund, for the workspace and the bot. */
const BUDGETS: Record<CognitiveOperation, number> = {
  generateText: 4,
  // Includes the lease. Excludes the refund, which follows the stream.
  generateTextStream: 3,
  listModels: 0,
};

let bot: TestBot;
beforeAll(async () => {
  bot = await newBot();
});

const operationNamed = (name: CognitiveOperation) =>
  (platformApi.operations as PlatformOperation[]).find(each => each.group === 'cognitive' && each.name === name)!;

describe('a warm call', () => {
  it.each(Object.keys(BUDGETS) as CognitiveOperation[])('stays within the budget of %s', async name => {
    const { path, body } = COGNITIVE_REQUESTS[name]();
    await callAsBot(operationNamed('listModels'), bot, { path: '/cognitive/models' });
    await settled();

    const { calls, writes } = await counted(() =>
      callAsBot(operationNamed(name), bot, { path: `/cognitive${path}`, body }),
    );

    expect(calls).toBeLessThanOrEqual(BUDGETS[name]);
    if (operationNamed(name).table !== 'writes') expect(writes).toBe(0);
  });
});
