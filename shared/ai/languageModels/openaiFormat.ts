import * as z from 'zod/mini';
import type { Ending, Part, StopReason, TextRequest, ToolChoice, Turn } from '#shared/ai/languageModel.ts';

const optional = <S extends z.ZodMiniType>(schema: S) => z.optional(z.nullable(schema));

const USAGE = optional(z.object({ prompt_tokens: z.number(), completion_tokens: optional(z.number()) }));
const TEXTS = {
  content: optional(z.string()),
  reasoning_content: optional(z.string()),
  reasoning: optional(z.string()),
};

export const ANSWER = z.object({
  choices: z.array(
    z.object({
      message: z.object({
        ...TEXTS,
        tool_calls: optional(
          z.array(z.object({ id: z.string(), function: z.object({ name: z.string(), arguments: z.string() }) })),
        ),
      }),
      finish_reason: optional(z.string()),
    }),
  ),
  usage: USAGE,
});

export const CHUNK = z.object({
  choices: z._default(
    z.array(
      z.object({
        delta: optional(
          z.object({
            ...TEXTS,
            tool_calls: optional(
              z.array(
                z.object({
                  index: z._default(z.number(), 0),
                  id: optional(z.string()),
                  function: optional(z.object({ name: optional(z.string()), arguments: optional(z.string()) })),
                }),
              ),
            ),
          }),
        ),
        finish_reason: optional(z.string()),
      }),
    ),
    [],
  ),
  usage: USAGE,
});

export const usageOf = (usage: z.infer<typeof USAGE>): Ending['usage'] =>
  usage ? { inputTokens: usage.prompt_tokens, outputTokens: usage.completion_tokens ?? 0 } : undefined;

const STOP_REASONS: Record<string, StopReason> = {
  stop: 'stop',
  length: 'max_tokens',
  content_filter: 'content_filter',
  tool_calls: 'tool_calls',
};

/** Some servers return `stop` after tool calls. */
export const stopReasonOf = (reason: string | null | undefined, hasCalls: boolean): StopReason =>
  hasCalls && reason !== 'length' ? 'tool_calls' : (STOP_REASONS[reason ?? ''] ?? 'other');

/** Returns the request body without the options for streaming. */
export const requestOf = (model: string, request: TextRequest) => ({
  model,
  messages: request.turns.map(messageOf),
  ...(request.tools.length > 0
    ? {
        tools: request.tools.map(tool => ({ type: 'function', function: tool })),
        ...(request.toolChoice ? { tool_choice: choiceOf(request.toolChoice) } : {}),
        ...(request.toolChoice?.parallel === undefined ? {} : { parallel_tool_calls: request.toolChoice.parallel }),
      }
    : {}),
  temperature: request.temperature,
  max_tokens: request.maxTokens,
  stop: request.stop,
  reasoning_effort: request.reasoningEffort,
  ...(request.isJson ? { response_format: { type: 'json_object' } } : {}),
});

const choiceOf = (choice: ToolChoice) =>
  choice.mode === 'specific' ? { type: 'function', function: { name: choice.toolName } } : choice.mode;

function messageOf(turn: Turn) {
  if (turn.role === 'tool') return { role: 'tool', tool_call_id: turn.callId, content: turn.text };
  const content = contentOf(turn.parts);
  if (turn.role !== 'assistant' || turn.toolCalls.length === 0) return { role: turn.role, content };
  const calls = turn.toolCalls.map(({ id, name, input }) => ({
    id,
    type: 'function',
    function: { name, arguments: JSON.stringify(input) },
  }));
  return { role: 'assistant', content: content === '' ? null : content, tool_calls: calls };
}

const contentOf = (parts: readonly Part[]) =>
  parts.every(part => part.type === 'text')
    ? parts.map(part => part.text).join('\n')
    : parts.map(part => (part.type === 'text' ? part : { type: 'image_url', image_url: { url: part.url } }));
