/** Tests `@botpress/cognitive` from npm with a bot's key. */
import { Cognitive, CognitiveBeta } from '@botpress/cognitive';
import { beforeAll, describe, expect, it } from 'vitest';
import { MODEL, useModel } from '#test/support/languageModel.ts';
import { apiBaseUrl, isLeftOut, newBot, type TestBot, useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();

describe.skipIf(isLeftOut('settings'))("the ecosystem's client of language models", () => {
  const model = useModel();
  let bot: TestBot;
  let client: InstanceType<typeof CognitiveBeta>;
  beforeAll(async () => {
    bot = await newBot();
    client = new CognitiveBeta({ apiUrl: apiBaseUrl(), botId: bot.id, token: bot.tokens.bot });
  });

  it('generates text', async () => {
    const { output, metadata } = await client.generateText({ messages: [{ role: 'user', content: 'What?' }] });

    expect(output).toBe('That.');
    expect(metadata).toMatchObject({ model: `openai:${MODEL}`, cost: 2, stopReason: 'stop' });
  });

  it('streams text with tool calls', async () => {
    model.plan({ text: 'Let me see.', toolCalls: [{ id: 'c', name: 'run_javascript', arguments: '{"code":"1"}' }] });
    const chunks = [];

    for await (const chunk of client.generateTextStream({
      messages: [{ role: 'user', content: 'What?' }],
      tools: [{ name: 'run_javascript', parameters: { type: 'object', properties: { code: { type: 'string' } } } }],
      toolControl: { mode: 'auto' },
    })) {
      chunks.push(chunk);
    }

    expect(chunks.map(({ output }) => output ?? '').join('')).toBe('Let me see.');
    expect(chunks.at(-1)).toMatchObject({
      finished: true,
      toolCalls: [{ id: 'c', name: 'run_javascript', input: { code: '1' } }],
    });
  });

  it('lists the model', async () => {
    expect((await client.listModels()).map(({ id }) => id)).toEqual([`openai:${MODEL}`]);
  });

  it('works with the older client, which also reads the integrations of its bot', async () => {
    const older = new Cognitive({ client: bot.client, __experimental_beta: true });

    const { output } = await older.generateContent({ model: 'best', messages: [{ role: 'user', content: 'What?' }] });
    const installed = await older.fetchInstalledModels();

    expect(output.choices[0]!.content).toBe('That.');
    // The chat integration offers no models.
    expect(installed).toEqual([]);
  });
});
