/** Language models of Amazon Bedrock, through the Converse API. */
import {
  BedrockRuntimeClient,
  BedrockRuntimeServiceException,
  ConverseCommand,
  ConverseStreamCommand,
  type ConverseStreamOutput,
} from '@aws-sdk/client-bedrock-runtime';
import { asThrottled } from '#shared/ai/bedrockErrors.ts';
import type { LanguageModel, Piece } from '#shared/ai/languageModel.ts';
import { RequestRejectedError } from '#shared/ai/postJson.ts';
import { requestOf, stopReasonOf, usageOf } from './bedrockFormat.ts';
import { sortToolCalls } from './toolInput.ts';

export function bedrock({ modelId, attempts = 3 }: { modelId: string; attempts?: number }): LanguageModel {
  const client = new BedrockRuntimeClient({ maxAttempts: attempts, retryMode: 'standard' });
  return {
    provider: 'bedrock',
    id: modelId,
    ignores: ['isJson', 'reasoningEffort'],
    async generate(request, signal) {
      const command = new ConverseCommand({ modelId, ...requestOf(request) });
      const { output, stopReason, usage } = await client.send(command, { abortSignal: signal }).catch(error => {
        signal.throwIfAborted();
        throw toDomainError(error, modelId);
      });
      const blocks = output?.message?.content ?? [];
      return {
        text: blocks.flatMap(({ text }) => text ?? []).join(''),
        reasoning: blocks.flatMap(({ reasoningContent }) => reasoningContent?.reasoningText?.text ?? []).join(''),
        toolCalls: blocks.flatMap(({ toolUse }) =>
          toolUse
            ? [{ id: toolUse.toolUseId!, name: toolUse.name!, input: toolUse.input as Record<string, unknown> }]
            : [],
        ),
        brokenCalls: [],
        stopReason: stopReasonOf(stopReason),
        usage: usageOf(usage),
      };
    },
    async stream(request, signal) {
      const command = new ConverseStreamCommand({ modelId, ...requestOf(request) });
      const { stream } = await client.send(command, { abortSignal: signal }).catch(error => {
        signal.throwIfAborted();
        throw toDomainError(error, modelId);
      });
      return readPieces(stream!, modelId);
    },
  };
}

/** Blocks are streamed in fragments that share an index. */
async function* readPieces(events: AsyncIterable<ConverseStreamOutput>, modelId: string): AsyncIterable<Piece> {
  const calls = new Map<number, { id: string; name: string; text: string }>();
  let reason: string | undefined;
  let usage: ReturnType<typeof usageOf>;
  try {
    for await (const { contentBlockStart, contentBlockDelta, messageStop, metadata } of events) {
      const started = contentBlockStart?.start?.toolUse;
      if (started)
        calls.set(contentBlockStart.contentBlockIndex!, { id: started.toolUseId!, name: started.name!, text: '' });
      const delta = contentBlockDelta?.delta;
      if (delta?.reasoningContent?.text) yield { reasoning: delta.reasoningContent.text };
      if (delta?.text) yield { text: delta.text };
      const call = delta?.toolUse && calls.get(contentBlockDelta!.contentBlockIndex!);
      if (call) call.text += delta.toolUse!.input ?? '';
      reason = messageStop?.stopReason ?? reason;
      usage = usageOf(metadata?.usage) ?? usage;
    }
  } catch (error) {
    throw toDomainError(error, modelId);
  }
  yield { ending: { ...sortToolCalls([...calls.values()]), stopReason: stopReasonOf(reason), usage } };
}

function toDomainError(error: unknown, model: string): unknown {
  const mapped = asThrottled(error, model);
  const isRejected = mapped instanceof BedrockRuntimeServiceException && mapped.$fault === 'client';
  return isRejected
    ? new RequestRejectedError(`${mapped.name}: ${mapped.message}`, mapped.$metadata.httpStatusCode)
    : mapped;
}
