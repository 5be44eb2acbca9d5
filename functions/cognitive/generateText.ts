import { MEGABYTE, ok } from '#shared/api/operation.ts';
import { cognitiveOperation } from '#shared/api/operations/platform.ts';
import { GenerateInput } from '#shared/domain/cognitive/cognitiveInputs.ts';
import { GenerationView } from '#shared/domain/cognitive/cognitiveViews.ts';
import { generate } from '#shared/domain/cognitive/generateText.ts';
import { retryConflicts } from '#shared/storage/dynamodb/engine/transaction.ts';

export const generateText = cognitiveOperation({
  name: 'generateText',
  summary:
    "Generates the next message of a conversation with the installation's language model, which may call tools. Times out after 26 seconds.",
  method: 'POST',
  path: '/cognitive/generate-text',
  scope: 'bot',
  table: 'writes',
  largeValues: 'writes',
  model: 'invokes',
  payloadLimitBytes: 4 * MEGABYTE,
  body: GenerateInput,
  output: GenerationView,
  statuses: [200],

  handle: async call => {
    const body = await generate(call.input, call);
    // Retries only the commit, which conflicts with a concurrent call that has the same Idempotency-Key. The model is
    // not called again.
    return retryConflicts(() => call.commit(ok(body), []));
  },
});
