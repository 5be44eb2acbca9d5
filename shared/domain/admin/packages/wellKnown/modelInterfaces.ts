/** Interfaces of integrations with models. A model is an entity, which an integration narrows to its model ids. */
import {
  action,
  boolean,
  both,
  either,
  entity,
  integer,
  list,
  map,
  nullable,
  number,
  object,
  oneOf,
  optional,
  type Schema,
  text,
  url,
} from './schema.ts';

/** Responses are billable and may be cached. */
const PAID = { billable: true, cacheable: true };
const MODEL_REF = object({ id: text() });
const COST = object({ cost: number() });
const models = (ref: string, fields: Record<string, Schema>) =>
  object({
    models: list(both({ ...object({ id: text(), ...fields }), additionalProperties: true }, entity(ref))),
  });

const TAGS = [
  ...['recommended', 'deprecated', 'general-purpose', 'low-cost', 'vision', 'coding', 'agents', 'function-calling'],
  ...['roleplay', 'storytelling', 'reasoning', 'preview', 'speech-to-text', 'image-generation', 'text-to-speech'],
];
const LIMITS = object({ maxTokens: integer(), costPer1MTokens: number() });

const message = {
  type: optional({ ...oneOf('text', 'tool_calls', 'tool_result', 'multipart'), default: 'text' }),
  toolCalls: optional(
    list(
      object({
        id: text(),
        type: oneOf('function'),
        function: object({ name: text(), arguments: nullable(map()) }),
      }),
    ),
  ),
  toolResultCallId: optional(text()),
  content: nullable(
    either(
      text(),
      list(
        object({
          type: oneOf('text', 'image'),
          mimeType: optional(text()),
          text: optional(text()),
          url: optional(text()),
        }),
      ),
    ),
  ),
};

export const llm = {
  name: 'llm',
  version: '11.0.0',
  entities: { modelRef: { schema: MODEL_REF } },
  actions: {
    generateContent: action(
      object({
        model: optional(entity('modelRef')),
        reasoningEffort: optional(oneOf('low', 'medium', 'high', 'dynamic', 'none')),
        systemPrompt: optional(text()),
        messages: list(object({ role: oneOf('user', 'assistant'), ...message })),
        responseFormat: optional(oneOf('text', 'json_object')),
        maxTokens: optional(number()),
        temperature: optional({ ...number({ minimum: 0, maximum: 2 }), default: 1 }),
        topP: optional({ ...number({ minimum: 0, maximum: 1 }), default: 1 }),
        stopSequences: optional(list(text(), { maxItems: 4 })),
        tools: optional(
          list(
            object({
              type: oneOf('function'),
              function: object({
                name: text(),
                description: optional(text()),
                argumentsSchema: optional(map()),
              }),
            }),
          ),
        ),
        toolChoice: optional(
          object({
            type: optional(oneOf('auto', 'specific', 'any', 'none', '')),
            functionName: optional(text()),
          }),
        ),
        userId: optional(text()),
        debug: optional(boolean()),
        meta: optional(
          object({
            promptSource: optional(text()),
            promptCategory: optional(text()),
            integrationName: optional(text()),
            metadata: optional(map({ type: 'string', maxLength: 128 })),
          }),
        ),
      }),
      object({
        id: text(),
        provider: text(),
        model: text(),
        choices: list(
          object({
            ...message,
            role: oneOf('assistant'),
            index: integer(),
            stopReason: oneOf('stop', 'max_tokens', 'tool_calls', 'content_filter', 'other'),
          }),
        ),
        usage: object({
          inputTokens: integer(),
          inputCost: number(),
          outputTokens: integer(),
          outputCost: number(),
        }),
        botpress: COST,
      }),
      PAID,
    ),
    listLanguageModels: action(
      object(),
      models('modelRef', {
        name: text(),
        description: text(),
        tags: list(oneOf(...TAGS)),
        input: LIMITS,
        output: LIMITS,
      }),
    ),
  },
};

export const speechToText = {
  name: 'speech-to-text',
  version: '2.0.2',
  entities: { speechToTextModelRef: { schema: MODEL_REF } },
  actions: {
    transcribeAudio: action(
      object({
        model: optional(entity('speechToTextModelRef')),
        fileUrl: url(),
        language: optional(text()),
        prompt: optional(text()),
        temperature: optional({ ...number(), default: 0 }),
      }),
      object({
        language: text(),
        duration: number(),
        segments: list(
          object({
            text: text(),
            id: number(),
            seek: number(),
            start: number(),
            end: number(),
            tokens: list(number()),
            temperature: number(),
            avg_logprob: number(),
            compression_ratio: number(),
            no_speech_prob: number(),
          }),
        ),
        model: text(),
        cost: number(),
        botpress: COST,
      }),
      PAID,
    ),
    listSpeechToTextModels: action(object(), models('speechToTextModelRef', { name: text(), costPerMinute: number() })),
  },
};

export const textToImage = {
  name: 'text-to-image',
  version: '2.1.2',
  entities: { imageModelRef: { schema: MODEL_REF }, imageGenerationParams: { schema: object() } },
  actions: {
    generateImage: action(
      object({
        model: optional(entity('imageModelRef')),
        prompt: text(),
        size: optional(text()),
        expiration: optional(integer({ minimum: 30, maximum: 90 })),
        params: optional(entity('imageGenerationParams')),
      }),
      object({ model: text(), imageUrl: text(), cost: number(), botpress: COST }),
      PAID,
    ),
    listImageModels: action(
      object(),
      models('imageModelRef', {
        name: text(),
        costPerImage: number(),
        sizes: list(text()),
        defaultSize: text(),
      }),
    ),
  },
};
