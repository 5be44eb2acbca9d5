import { beforeAll, describe, expect, it, vi } from 'vitest';
import { MODEL_VARIABLES } from '#shared/ai/languageModels/chooseModel.ts';
import { MODEL, useModel } from '#test/support/languageModel.ts';
import { apiBaseUrl, call, isLeftOut, newBot, type TestBot, useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();

describe.skipIf(isLeftOut('settings'))('GET /v2/cognitive/models', () => {
  useModel();
  let bot: TestBot;
  beforeAll(async () => {
    bot = await newBot();
  });
  const list = () => call(`${apiBaseUrl()}/v2/cognitive/models`, { token: bot.tokens.bot, botId: bot.id });

  it('returns the configured model with prices and default limits', async () => {
    const { status, body } = await list();

    expect(status).toBe(200);
    expect(body).toEqual({
      models: [
        {
          id: `openai:${MODEL}`,
          name: MODEL,
          description: expect.any(String),
          aliases: ['auto', 'best', 'fast'],
          tags: [],
          input: { maxTokens: 128_000, costPer1MTokens: 1_000 },
          output: { maxTokens: 8_192, costPer1MTokens: 2_000 },
          lifecycle: 'production',
        },
      ],
    });
  });

  it('shows the limits that the operator has set', async () => {
    vi.stubEnv(MODEL_VARIABLES.inputTokens, '32000');

    const { body } = await list().finally(() => vi.stubEnv(MODEL_VARIABLES.inputTokens, ''));

    expect(body.models[0].input.maxTokens).toBe(32_000);
  });

  it('returns 501 that names the setting in an installation without a model', async () => {
    vi.stubEnv(MODEL_VARIABLES.model, '');

    const { status, body } = await list().finally(() => vi.stubEnv(MODEL_VARIABLES.model, `openai:${MODEL}`));

    expect(status).toBe(501);
    expect(body.metadata).toEqual({ setting: 'MODEL' });
  });
});
