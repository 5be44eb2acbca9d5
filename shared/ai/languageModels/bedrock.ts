/** Models of Amazon Bedrock, in the region the platform runs in, by the interface that all of them have alike. */
import { BedrockRuntimeClient, BedrockRuntimeServiceException, ConverseCommand } from '@aws-sdk/client-bedrock-runtime';
import { throttledIfPassing } from '#shared/ai/bedrockErrors.ts';
import type { LanguageModel } from '#shared/ai/languageModel.ts';
import { RequestRejectedError } from '#shared/ai/postJson.ts';

export function bedrock({ modelId, attempts = 3 }: { modelId: string; attempts?: number }): LanguageModel {
  const client = new BedrockRuntimeClient({ maxAttempts: attempts, retryMode: 'standard' });
  return {
    id: modelId,
    async complete({ system, prompt, model = modelId, maxTokens }) {
      const command = new ConverseCommand({
        modelId: model,
        ...(system === undefined ? {} : { system: [{ text: system }] }),
        messages: [{ role: 'user', content: [{ text: prompt }] }],
        inferenceConfig: { maxTokens },
      });
      const { output } = await client.send(command).catch(error => {
        throw meaningOf(error, model);
      });
      // What a model thought aloud is in blocks of another kind.
      const texts = output?.message?.content?.flatMap(({ text }) => text ?? []) ?? [];
      if (texts.length === 0) throw new RequestRejectedError('the model answered without a text');
      return texts.join('');
    },
  };
}

function meaningOf(error: unknown, model: string): unknown {
  const meaning = throttledIfPassing(error, model);
  const isRefused = meaning instanceof BedrockRuntimeServiceException && meaning.$fault === 'client';
  return isRefused ? new RequestRejectedError(`${meaning.name}: ${meaning.message}`) : meaning;
}
