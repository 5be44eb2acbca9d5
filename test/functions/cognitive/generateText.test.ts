import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { MODEL_VARIABLES } from '#shared/ai/languageModels/chooseModel.ts';
import { MODEL, useModel } from '#test/support/languageModel.ts';
import { apiBaseUrl, call, isLeftOut, newBot, type TestBot, useSharedPlatform } from '#test/support/platform.ts';
import { recordLog } from '#test/support/recordLog.ts';

useSharedPlatform();

describe.skipIf(isLeftOut('settings'))('POST /v2/cognitive/generate-text', () => {
  const model = useModel();
  let bot: TestBot;
  beforeAll(async () => {
    bot = await newBot();
  });

  const generate = (body: unknown, headers: Record<string, string> = {}) =>
    call(`${apiBaseUrl()}/v2/cognitive/generate-text`, {
      method: 'POST',
      token: bot.tokens.bot,
      botId: bot.id,
      headers,
      body,
    });
  const ask = (content: unknown, more: object = {}) => generate({ messages: [{ role: 'user', content }], ...more });
  const spent = async () => {
    const { client } = bot.workspace.owner;
    const [ofBot, ofWorkspace] = await Promise.all(
      [bot.id, bot.workspace.id].map(id => client.getUsage({ id, type: 'ai_spend' })),
    );
    return [ofBot!.usage.value, ofWorkspace!.usage.value];
  };

  it("returns 200 with the model's text, its usage and cost", async () => {
    const { status, body } = await ask('What?', { options: { requestId: 'r-1' } });

    expect(status).toBe(200);
    expect(body).toEqual({
      output: 'That.',
      metadata: {
        requestId: 'r-1',
        provider: 'openai',
        model: `openai:${MODEL}`,
        usage: { inputTokens: 1_000, inputCost: 1, outputTokens: 500, outputCost: 1 },
        cost: 2,
        cached: false,
        latency: expect.any(Number),
        stopReason: 'stop',
      },
    });
    expect(model.requests[0]).toMatchObject({ path: '/v1/chat/completions', authorization: 'Bearer sk-secret' });
  });

  it('counts the cost as ai_spend of the bot and of its workspace, in billionths of a dollar', async () => {
    const before = await spent();

    await ask('What?');

    expect(await spent()).toEqual(before.map(value => value + 2_000_000_000));
  });

  describe('in a workspace with a spendingLimit', () => {
    let usual: TestBot;
    beforeEach(async () => {
      usual = bot;
      bot = await newBot();
    });
    afterEach(() => {
      bot = usual;
    });
    const limit = (spendingLimit: number) =>
      bot.workspace.owner.client.updateWorkspace({ id: bot.workspace.id, spendingLimit });

    it('returns 403 before calling the model when the maximum cost exceeds the remaining limit', async () => {
      await limit(3);

      const answers = [await ask('What?', { maxTokens: 100 }), await ask('What?', { maxTokens: 100 })];

      expect(answers.map(({ status }) => status)).toEqual([200, 403]);
      expect(answers[1]!.body).toMatchObject({
        type: 'QuotaExceeded',
        metadata: { type: 'ai_spend', quota: 3_000_000_000, value: 2_000_000_000 },
      });
      expect(answers[1]!.body.message).toMatch(/spendingLimit .* is US\$ 3, .*maxTokens.*updateWorkspace/);
      expect(model.requests).toHaveLength(1);
      expect(await spent()).toEqual([2_000_000_000, 2_000_000_000]);
    });

    it('lets concurrent callers spend no more than the limit', async () => {
      await limit(5);

      const answers = await Promise.all(Array.from({ length: 8 }, () => ask('What?', { maxTokens: 500 })));

      expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 403, 403, 403, 403, 403, 403]);
      expect(model.requests).toHaveLength(2);
    });

    it("reserves the operator's token maximum if the caller sets none, and requests no more", async () => {
      vi.stubEnv(MODEL_VARIABLES.outputTokens, '700');
      await limit(2.4);
      const refused = await ask('What?');
      await limit(2.6);
      const { status } = await ask('What?').finally(() => vi.stubEnv(MODEL_VARIABLES.outputTokens, ''));

      expect([refused.status, status]).toEqual([403, 200]);
      expect(model.requests.map(({ body }) => body.max_tokens)).toEqual([700]);
    });

    it('allows calls again after the limit is removed with 0', async () => {
      await limit(0.01);
      const refused = await ask('What?');
      await limit(0);

      expect([refused.status, (await ask('What?')).status]).toEqual([403, 200]);
    });

    it('counts nothing for a rejected request', async () => {
      await limit(2);
      model.plan({ status: 400, error: 'no' }, { status: 503, error: 'busy' }, { status: 503, error: 'busy' });

      const answers = [await ask('What?', { maxTokens: 100 }), await ask('What?', { maxTokens: 100 })];

      expect(answers.map(({ status }) => status)).toEqual([400, 429]);
      expect(await spent()).toEqual([0, 0]);
      expect((await ask('What?', { maxTokens: 100 })).status).toBe(200);
    });
  });

  it('counts both concurrent calls with one Idempotency-Key, because both are billed', async () => {
    const headers = { 'idempotency-key': crypto.randomUUID() };
    const body = { messages: [{ role: 'user', content: 'Once?' }] };
    const before = await spent();

    const answers = await Promise.all([generate(body, headers), generate(body, headers)]);

    const asked = model.requests.length;
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(await spent()).toEqual(before.map(value => value + asked * 2_000_000_000));
  });

  it('estimates usage that a provider does not report', async () => {
    model.plan({ text: 'x'.repeat(400) });

    const { body } = await ask('y'.repeat(4_000));

    expect(body.metadata.usage.outputTokens).toBe(100);
    expect(body.metadata.usage.inputTokens).toBeGreaterThanOrEqual(1_000);
    expect(body.metadata.usage.inputTokens).toBeLessThan(1_050);
  });

  it('forwards the conversation with tool calls, their results and images', async () => {
    const image = { type: 'image', url: 'data:image/png;base64,iVBORw0KGgo=' };

    await generate({
      systemPrompt: 'Be short.',
      messages: [
        { role: 'system', content: 'Be kind.' },
        { role: 'user', type: 'multipart', content: [{ type: 'text', text: 'Look:' }, image] },
        {
          role: 'assistant',
          type: 'tool_calls',
          content: null,
          toolCalls: [{ id: 'c-1', type: 'function', function: { name: 'weather', arguments: { at: 'Oslo' } } }],
        },
        { role: 'user', type: 'tool_result', toolResultCallId: 'c-1', content: 'Rain' },
      ],
      tools: [{ name: 'weather', description: 'Tells the weather.', parameters: { type: 'object' }, strict: true }],
      toolControl: { mode: 'specific', toolName: 'weather', parallel: false },
      temperature: 0.5,
      maxTokens: 100,
      stopSequences: 'END',
      responseFormat: 'json',
      reasoningEffort: 'low',
    });

    expect(model.requests[0]!.body).toEqual({
      model: MODEL,
      messages: [
        { role: 'system', content: 'Be short.' },
        { role: 'system', content: 'Be kind.' },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'Look:' },
            { type: 'image_url', image_url: { url: image.url } },
          ],
        },
        {
          role: 'assistant',
          content: null,
          tool_calls: [{ id: 'c-1', type: 'function', function: { name: 'weather', arguments: '{"at":"Oslo"}' } }],
        },
        { role: 'tool', tool_call_id: 'c-1', content: 'Rain' },
      ],
      tools: [
        {
          type: 'function',
          function: {
            name: 'weather',
            description: 'Tells the weather.',
            parameters: { type: 'object' },
            strict: true,
          },
        },
      ],
      tool_choice: { type: 'function', function: { name: 'weather' } },
      parallel_tool_calls: false,
      temperature: 0.5,
      max_tokens: 100,
      stop: ['END'],
      response_format: { type: 'json_object' },
      reasoning_effort: 'low',
    });
  });

  it("returns the model's tool calls, and drops those with invalid JSON or a number that would change", async () => {
    model.plan({
      reasoning: 'Hm.',
      toolCalls: [
        { id: 'c-1', name: 'weather', arguments: '{"at":"Oslo"}' },
        { id: 'c-2', name: 'weather', arguments: '{"at":"Os' },
        { id: 'c-3', name: 'weather', arguments: '{"at":9007199254740993}' },
      ],
    });

    const { body } = await ask('Weather?', { tools: [{ name: 'weather' }] });

    expect(body).toMatchObject({
      output: '',
      reasoning: 'Hm.',
      toolCalls: [{ id: 'c-1', name: 'weather', input: { at: 'Oslo' } }],
      metadata: {
        stopReason: 'tool_calls',
        warnings: [{ type: 'provider_limitation' }, { type: 'provider_limitation' }],
      },
    });
    expect(model.requests[0]!.body.tools[0].function.parameters).toEqual({ type: 'object', properties: {} });
  });

  it('uses the configured model, and reports the requested ones as ignored', async () => {
    const { body } = await ask('What?', { model: ['openai:gpt-5', `openai:${MODEL}`, 'best'], search: true });

    expect(model.requests[0]!.body.model).toBe(MODEL);
    expect(body.metadata.fallbackPath).toEqual(['openai:gpt-5']);
    expect(body.metadata.warnings.map(({ type }: { type: string }) => type)).toEqual([
      'parameter_ignored',
      'fallback_used',
    ]);
    expect((await ask('What?', { model: 'auto' })).body.metadata.warnings).toBeUndefined();
  });

  it('calls the model and charges once per Idempotency-Key', async () => {
    const headers = { 'idempotency-key': crypto.randomUUID() };
    const body = { messages: [{ role: 'user', content: 'Once?' }] };
    const first = await generate(body, headers);
    const spentOnce = await spent();

    const again = await generate(body, headers);

    expect(again.body).toEqual(first.body);
    expect(model.requests).toHaveLength(1);
    expect(await spent()).toEqual(spentOnce);
  });

  it.each([
    ['no message', { messages: [] }, 'messages'],
    ['audio', { messages: [{ role: 'user', content: [{ type: 'audio', url: 'https://a.example/b' }] }] }, 'content[0]'],
    ['a result of no call', { messages: [{ role: 'user', type: 'tool_result', content: '1' }] }, 'toolResultCallId'],
    [
      'a tool that is not there',
      { messages: [{ role: 'user', content: 'a' }], toolControl: { mode: 'specific', toolName: 'a' } },
      'toolControl',
    ],
    ['too hot a temperature', { messages: [{ role: 'user', content: 'a' }], temperature: 3 }, 'temperature'],
  ])('returns 400 that names the field for %s', async (_, body, path) => {
    const answer = await generate(body);

    expect(answer).toMatchObject({ status: 400, body: { type: 'InvalidPayload' } });
    expect(JSON.stringify(answer.body.metadata.issues)).toContain(path);
    expect(model.requests).toEqual([]);
  });

  it('returns 400 with the reason of a model that rejects the request', async () => {
    model.plan({ status: 400, error: 'The context is too long.' });

    const { status, body } = await ask('What?');

    expect([status, body.type]).toEqual([400, 'InvalidPayload']);
    expect(body.message).toContain('The context is too long.');
  });

  it("names the settings and hides the provider's response when it rejects the installation's key", async () => {
    model.plan({ status: 401, error: 'Wrong key: sk-secret' });

    const { status, body } = await ask('What?');

    expect([status, body.type]).toEqual([400, 'Runtime']);
    expect(body.message).toContain(MODEL_VARIABLES.apiKey);
    expect(JSON.stringify(body)).not.toContain('sk-');
  });

  it('retries once, then returns 429 when the model is busy', async () => {
    model.plan({ status: 503, error: 'busy' }, { status: 503, error: 'busy' });

    const { status, body } = await ask('What?');

    expect([status, body.type]).toEqual([429, 'RateLimited']);
    expect(model.requests).toHaveLength(2);
  });

  it('returns 403 to the key of an integration', async () => {
    const answer = await call(`${apiBaseUrl()}/v2/cognitive/generate-text`, {
      method: 'POST',
      token: bot.tokens.integration,
      botId: bot.id,
      body: { messages: [{ role: 'user', content: 'a' }] },
    });

    expect([answer.status, answer.body.type]).toEqual([403, 'Forbidden']);
  });

  it('returns 501 that names the setting in an installation without a model, and logs no failure', async () => {
    vi.stubEnv(MODEL_VARIABLES.model, '');
    const log = recordLog();

    const { status, body } = await ask('What?').finally(() => vi.stubEnv(MODEL_VARIABLES.model, `openai:${MODEL}`));

    expect(status).toBe(501);
    expect(body).toMatchObject({ code: 501, type: 'MethodNotFound', metadata: { setting: 'MODEL' } });
    expect(body.message).toContain('MODEL');
    expect(log.errors).toEqual([]);
  });
});
