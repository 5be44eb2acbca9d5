/** Tests the language models that compute columns against stubs of their services. */
import { App, Stack } from 'aws-cdk-lib';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { modelOf } from '#infra/stack/modelAccess.ts';
import type { LanguageModel, TextRequest } from '#shared/ai/languageModel.ts';
import { bedrock } from '#shared/ai/languageModels/bedrock.ts';
import { chooseModel, MODEL_VARIABLES } from '#shared/ai/languageModels/chooseModel.ts';
import { openai } from '#shared/ai/languageModels/openai.ts';
import { RequestRejectedError } from '#shared/ai/postJson.ts';
import { ThrottledError } from '#shared/ai/throttledError.ts';
import { ANY_CREDENTIALS, awsError, type Stub, startStub } from '#test/shared/ai/stubServer.ts';

const REQUEST: TextRequest = {
  turns: [
    { role: 'system', parts: [{ type: 'text', text: 'Be short.' }] },
    { role: 'user', parts: [{ type: 'text', text: 'What?' }] },
  ],
  tools: [],
  maxTokens: 100,
};
const ask = async (model: LanguageModel) => (await model.generate(REQUEST, new AbortController().signal)).text;

describe('an OpenAI-compatible endpoint', () => {
  let service: Stub;
  beforeAll(async () => {
    service = await startStub(() => ({ status: 200, body: { choices: [{ message: { content: 'That.' } }] } }));
  });
  afterAll(() => service.stop());
  beforeEach(() => {
    service.requests.length = 0;
    service.failures.length = 0;
  });
  const open = (options: object = {}) =>
    openai({ baseUrl: `${service.endpoint}/v1/`, model: 'llama', firstPauseMs: 1, ...options });

  it('receives the key and the configured model', async () => {
    const model = open({ apiKey: 'sk-1' });

    expect(await ask(model)).toBe('That.');

    expect(service.requests[0]).toMatchObject({
      path: '/v1/chat/completions',
      headers: { authorization: 'Bearer sk-1' },
      body: {
        model: 'llama',
        max_tokens: 100,
        messages: [
          { role: 'system', content: 'Be short.' },
          { role: 'user', content: 'What?' },
        ],
      },
    });
  });

  it('is retried when it is busy, and then throws ThrottledError', async () => {
    const busy = { status: 503, body: {} };
    service.failures.push(busy);
    expect(await ask(open())).toBe('That.');

    service.failures.push(busy, busy);
    await expect(ask(open())).rejects.toThrow(ThrottledError);

    expect(service.requests).toHaveLength(4);
  });

  it.each([
    ['refuses', { status: 404, body: { error: 'no such model' } }, 'no such model'],
    ['returns no JSON', { status: 200, body: '<html>' }, 'returned no response'],
    ['returns no choice', { status: 200, body: { choices: [] } }, 'returned no response'],
  ])('throws a message for the table owner, without the endpoint, when it %s', async (_, answer, message) => {
    service.failures.push(answer);

    const failing = ask(open());

    await expect(failing).rejects.toThrow(RequestRejectedError);
    await expect(failing).rejects.toThrow(message);
    await expect(failing).rejects.not.toThrow(service.endpoint);
  });
});

const MODEL = 'eu.anthropic.claude-sonnet-4-20250514-v1:0';

describe('Bedrock', () => {
  let service: Stub;
  beforeAll(async () => {
    service = await startStub(
      () => ({
        status: 200,
        body: {
          output: { message: { role: 'assistant', content: [{ text: 'That' }, { text: '.' }] } },
          stopReason: 'end_turn',
          usage: { inputTokens: 1, outputTokens: 1, totalTokens: 2 },
        },
      }),
      'http2',
    );
    Object.assign(process.env, ANY_CREDENTIALS, { AWS_ENDPOINT_URL_BEDROCK_RUNTIME: service.endpoint });
  });
  afterAll(() => service.stop());
  beforeEach(() => {
    service.requests.length = 0;
    service.failures.length = 0;
  });

  it('receives the common format of all models', async () => {
    expect(await ask(bedrock({ modelId: MODEL }))).toBe('That.');

    expect(service.requests[0]).toMatchObject({
      path: `/model/${encodeURIComponent(MODEL)}/converse`,
      body: {
        system: [{ text: 'Be short.' }],
        messages: [{ role: 'user', content: [{ text: 'What?' }] }],
        inferenceConfig: { maxTokens: 100 },
      },
    });
  });

  it('is retried when it is throttled, and then throws ThrottledError', async () => {
    const model = bedrock({ modelId: MODEL, attempts: 2 });
    service.failures.push(awsError(429, 'ThrottlingException'));
    expect(await ask(model)).toBe('That.');

    service.failures.push(awsError(429, 'ThrottlingException'), awsError(429, 'ThrottlingException'));
    await expect(ask(model)).rejects.toThrow(ThrottledError);
  });

  it('throws RequestRejectedError for permanent errors', async () => {
    service.failures.push(awsError(400, 'ValidationException', 'too long'));
    await expect(ask(bedrock({ modelId: MODEL }))).rejects.toThrow('ValidationException: too long');

    service.failures.push(awsError(403, 'AccessDeniedException', 'no access'));
    await expect(ask(bedrock({ modelId: MODEL }))).rejects.toThrow(RequestRejectedError);
  });
});

describe('the stack', () => {
  const REGIONS = ':bedrock:*::foundation-model/';
  const statements = (model?: string) => {
    const stack = new Stack(new App({ context: model ? { model, modelInputPrice: '1', modelOutputPrice: '2' } : {} }));
    const { variables, statementsFor } = modelOf(stack);
    return {
      variables,
      resources: stack.resolve(statementsFor('invokes').map(each => each.toStatementJson().Resource)),
    };
  };

  it('has no model unless the CDK context names one', () => {
    expect(statements()).toEqual({ variables: {}, resources: [] });
  });

  it.each([
    ['amazon.nova-lite-v1:0', ['foundation-model/amazon.nova-lite-v1:0']],
    [MODEL, [`inference-profile/${MODEL}`, `${REGIONS}${MODEL.slice('eu.'.length)}`]],
  ])('allows the function to invoke %s, and no other model', (model, expected) => {
    const { variables, resources } = statements(model);

    expect(variables).toMatchObject({ [MODEL_VARIABLES.model]: `bedrock:${model}` });
    const arns = [resources]
      .flat(2)
      .map(arn => arn['Fn::Join'][1].filter((part: unknown) => typeof part === 'string').join(''));
    expect(arns).toHaveLength(expected.length);
    for (const [i, end] of expected.entries()) expect(arns[i].endsWith(end)).toBe(true);
  });
});

describe('chooseModel', () => {
  afterEach(() => {
    for (const name of Object.values(MODEL_VARIABLES)) delete process.env[name];
  });
  const choose = (model: string, url?: string) => {
    process.env[MODEL_VARIABLES.model] = model;
    if (url) process.env[MODEL_VARIABLES.url] = url;
    return chooseModel();
  };

  it('returns undefined unless a model is configured, and the same model each time', async () => {
    expect(await choose('')).toBeUndefined();
    expect(await choose('openai:llama3:8b', 'http://localhost/v1')).toMatchObject({ id: 'llama3:8b' });
    expect(await chooseModel()).toBe(await chooseModel());
    expect(await choose('bedrock:amazon.nova-lite-v1:0')).toMatchObject({ id: 'amazon.nova-lite-v1:0' });
  });

  it.each(['llama', 'openai:', 'bedrock', 'claude:opus'])('rejects %s', async model => {
    await expect(choose(model)).rejects.toThrow(`The environment variable MODEL is ${model}: it must be`);
  });

  it('requires the URL of an endpoint', async () => {
    await expect(choose('openai:llama')).rejects.toThrow('The environment variable MODEL_URL is not set.');
  });
});
