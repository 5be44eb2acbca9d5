/**
 * A request for each operation of the cognitive group that succeeds for an authorised caller. An operation without one
 * does not compile. They need a model: see `support/languageModel.ts`.
 */
import type * as cognitiveOperations from '#functions/cognitive/index.ts';

export type CognitiveOperation = keyof typeof cognitiveOperations;

const GENERATE = { messages: [{ role: 'user', content: 'What?' }] };

/** The path is relative to `/v2/cognitive`. */
export const COGNITIVE_REQUESTS: Record<CognitiveOperation, () => { path: string; body?: unknown }> = {
  generateText: () => ({ path: '/generate-text', body: GENERATE }),
  generateTextStream: () => ({ path: '/generate-text-stream', body: GENERATE }),
  listModels: () => ({ path: '/models' }),
};
