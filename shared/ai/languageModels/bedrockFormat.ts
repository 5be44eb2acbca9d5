import type {
  ToolChoice as BedrockToolChoice,
  ContentBlock,
  ConverseCommandInput,
  ImageFormat,
  Message,
  TokenUsage,
  Tool,
} from '@aws-sdk/client-bedrock-runtime';
import type { Ending, Part, StopReason, TextRequest, ToolChoice, Turn } from '#shared/ai/languageModel.ts';
import { RequestRejectedError } from '#shared/ai/postJson.ts';

const STOP_REASONS: Record<string, StopReason> = {
  end_turn: 'stop',
  stop_sequence: 'stop',
  max_tokens: 'max_tokens',
  model_context_window_exceeded: 'max_tokens',
  tool_use: 'tool_calls',
  content_filtered: 'content_filter',
  guardrail_intervened: 'content_filter',
};

export const stopReasonOf = (reason: string | undefined): StopReason => STOP_REASONS[reason ?? ''] ?? 'other';

export const usageOf = (usage: TokenUsage | undefined): Ending['usage'] =>
  usage && { inputTokens: usage.inputTokens ?? 0, outputTokens: usage.outputTokens ?? 0 };

/** @throws RequestRejectedError for images that are not data URIs, because Bedrock does not fetch URLs */
export function requestOf(request: TextRequest): Omit<ConverseCommandInput, 'modelId'> {
  const system = request.turns.flatMap(turn => (turn.role === 'system' ? blocksOf(turn.parts) : []));
  const { maxTokens, temperature, stop: stopSequences, toolChoice } = request;
  const hasTools = request.tools.length > 0 && toolChoice?.mode !== 'none';
  return {
    ...(system.length > 0 ? { system: system as { text: string }[] } : {}),
    messages: messagesOf(request.turns),
    inferenceConfig: { maxTokens, temperature, stopSequences },
    ...(hasTools
      ? { toolConfig: { tools: request.tools.map(toolOf), toolChoice: toolChoice && choiceOf(toolChoice) } }
      : {}),
  };
}

const toolOf = ({ name, description, parameters }: TextRequest['tools'][number]): Tool => ({
  toolSpec: { name, description, inputSchema: { json: parameters as never } },
});

const choiceOf = (choice: ToolChoice): BedrockToolChoice =>
  choice.mode === 'specific'
    ? { tool: { name: choice.toolName } }
    : choice.mode === 'required'
      ? { any: {} }
      : { auto: {} };

/**
 * The roles of messages must alternate, and tool results have the role of the user. Adjacent turns of a role are
 * merged.
 */
function messagesOf(turns: readonly Turn[]): Message[] {
  const messages: Message[] = [];
  for (const turn of turns) {
    if (turn.role === 'system') continue;
    const role = turn.role === 'assistant' ? 'assistant' : 'user';
    const content = contentOf(turn);
    const last = messages.at(-1);
    if (last?.role === role) last.content!.push(...content);
    else if (content.length > 0) messages.push({ role, content });
  }
  return messages;
}

function contentOf(turn: Exclude<Turn, { role: 'system' }>): ContentBlock[] {
  if (turn.role === 'tool') {
    return [{ toolResult: { toolUseId: turn.callId, content: [{ text: turn.text || '-' }] } }];
  }
  const calls = turn.role === 'assistant' ? turn.toolCalls : [];
  return [
    ...blocksOf(turn.parts),
    ...calls.map(({ id, name, input }): ContentBlock => ({ toolUse: { toolUseId: id, name, input: input as never } })),
  ];
}

/** Omits empty texts, which Bedrock rejects. */
const blocksOf = (parts: readonly Part[]): ContentBlock[] =>
  parts.flatMap((part): ContentBlock[] => {
    if (part.type === 'image') return [{ image: imageOf(part.url) }];
    return part.text.trim() === '' ? [] : [{ text: part.text }];
  });

const DATA_URI = /^data:image\/(png|jpeg|gif|webp);base64,(.+)$/s;

function imageOf(url: string) {
  const [, format, data] = DATA_URI.exec(url) ?? [];
  if (!format) {
    throw new RequestRejectedError(
      'images must be data URIs (data:image/png;base64,…) of PNG, JPEG, GIF or WebP, because the model does not fetch URLs',
      400,
    );
  }
  return { format: format as ImageFormat, source: { bytes: Buffer.from(data!, 'base64') } };
}
