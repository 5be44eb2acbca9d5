import { beforeAll, describe, expect, it, vi } from 'vitest';
import { MODEL_VARIABLES } from '#shared/ai/languageModels/chooseModel.ts';
import { MODEL, useModel } from '#test/support/languageModel.ts';
import {
  apiBaseUrl,
  eventually,
  isLeftOut,
  newBot,
  settled,
  type TestBot,
  useSharedPlatform,
} from '#test/support/platform.ts';

useSharedPlatform();

describe.skipIf(isLeftOut('settings'))('POST /v2/cognitive/generate-text-stream', () => {
  const model = useModel();
  let bot: TestBot;
  beforeAll(async () => {
    bot = await newBot();
  });

  const open = (more: object = {}) =>
    fetch(`${apiBaseUrl()}/v2/cognitive/generate-text-stream`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${bot.tokens.bot}`,
        'x-bot-id': bot.id,
        'content-type': 'application/json',
        origin: 'https://app.example.com',
      },
      body: JSON.stringify({ messages: [{ role: 'user', content: 'What?' }], stream: true, ...more }),
    });
  const linesOf = async (response: Response) =>
    (await response.text())
      .trim()
      .split('\n')
      .map(line => JSON.parse(line));
  const spent = async () => {
    const { usage } = await bot.workspace.owner.client.getUsage({ id: bot.id, type: 'ai_spend' });
    return usage.value;
  };

  it('sends one line per piece, with the metadata in the last line', async () => {
    model.plan({
      reasoning: 'Hm.',
      text: 'One two three.',
      usage: { prompt_tokens: 10, completion_tokens: 20 },
    });

    const response = await open();
    const lines = await linesOf(response);

    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('application/x-ndjson');
    expect(response.headers.get('access-control-allow-origin')).toBe('https://app.example.com');
    const created = expect.any(Number);
    expect(lines).toEqual([
      { reasoning: 'Hm.', created },
      { output: 'One ', created },
      { output: 'two ', created },
      { output: 'three.', created },
      {
        finished: true,
        created,
        metadata: {
          provider: 'openai',
          model: `openai:${MODEL}`,
          usage: { inputTokens: 10, inputCost: 0.01, outputTokens: 20, outputCost: 0.04 },
          cost: 0.05,
          cached: false,
          latency: expect.any(Number),
          ttft: expect.any(Number),
          stopReason: 'stop',
        },
      },
    ]);
    expect(model.requests[0]!.body).toMatchObject({ stream: true, stream_options: { include_usage: true } });
  });

  it('joins the fragments of tool calls into the last line', async () => {
    model.plan({
      toolCalls: [
        { id: 'c-1', name: 'run', arguments: '{"code":"a\\nb"}' },
        { id: 'c-2', name: 'stop', arguments: '' },
      ],
    });

    const lines = await linesOf(
      await open({ tools: [{ name: 'run' }, { name: 'stop' }], toolControl: { mode: 'required' } }),
    );

    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatchObject({
      finished: true,
      toolCalls: [
        { id: 'c-1', name: 'run', input: { code: 'a\nb' } },
        { id: 'c-2', name: 'stop', input: {} },
      ],
      metadata: { stopReason: 'tool_calls' },
    });
    expect(model.requests[0]!.body.tool_choice).toBe('required');
  });

  it('counts the cost when the stream has ended', async () => {
    const before = await spent();

    await linesOf(await open());

    await eventually(async () => expect(await spent()).toBe(before + 2_000_000_000));
  });

  it('closes the connection when the model does, and counts the maximum cost', async () => {
    const before = await spent();
    model.plan({ text: 'One two three.', breaksAfter: 2 });

    await expect(open({ maxTokens: 500 }).then(linesOf)).rejects.toThrow();

    // 500 tokens, and more than 1,000 for the request.
    await settled();
    expect((await spent()) - before).toBeGreaterThan(2_000_000_000);
  });

  it('counts the maximum cost when the caller disconnects', async () => {
    const before = await spent();
    const reader = (await open({ maxTokens: 500 })).body!.getReader();
    await reader.read();

    await reader.cancel();

    await settled();
    expect((await spent()) - before).toBeGreaterThanOrEqual(2_000_000_000);
  });

  it('returns 403 before calling the model when the spendingLimit is exhausted', async () => {
    const { client } = bot.workspace.owner;
    await client.updateWorkspace({ id: bot.workspace.id, spendingLimit: 0.01 });

    const response = await open();

    await client.updateWorkspace({ id: bot.workspace.id, spendingLimit: 0 });
    expect(response.status).toBe(403);
    expect(await response.json()).toMatchObject({ type: 'QuotaExceeded', metadata: { type: 'ai_spend' } });
    expect(model.requests).toEqual([]);
  });

  it('returns an ordinary error when the model fails before its first piece', async () => {
    model.plan({ status: 400, error: 'The context is too long.' });

    const response = await open();

    expect(response.status).toBe(400);
    expect(response.headers.get('content-type')).toBe('application/json');
    expect(await response.json()).toMatchObject({ message: expect.stringContaining('The context is too long.') });
  });

  it('returns 501 that names the setting in an installation without a model', async () => {
    vi.stubEnv(MODEL_VARIABLES.model, '');

    const response = await open().finally(() => vi.stubEnv(MODEL_VARIABLES.model, `openai:${MODEL}`));

    expect(response.status).toBe(501);
    expect(await response.json()).toMatchObject({ type: 'MethodNotFound', metadata: { setting: 'MODEL' } });
  });
});
