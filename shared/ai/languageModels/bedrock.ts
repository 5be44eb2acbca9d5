/** Language models of Amazon Bedrock in the platform's region, by the Converse API, which all of them share. */
import { BedrockRuntimeClient, BedrockRuntimeServiceException, ConverseCommand } from '@aws-sdk/client-bedrock-runtime';
import { asThrottled } from '#shared/ai/bedrockErrors.ts';
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
        throw toDomainError(error, model);
      });
      // Reasoning comes in blocks of another kind.
      const texts = output?.message?.content?.flatMap(({ text }) => text ?? []) ?? [];
      if (texts.length === 0) throw new RequestRejectedError('the model returned no text');
      return texts.join('');
    },
  };
}

function toDomainError(error: unknown, model: string): unknown {
  const mapped = asThrottled(error, model);
  const isRejected = mapped instanceof BedrockRuntimeServiceException && mapped.$fault === 'client';
  return isRejected ? new RequestRejectedError(`${mapped.name}: ${mapped.message}`) : mapped;
}
