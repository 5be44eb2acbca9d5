import * as z from 'zod/mini';
import type { Ending } from '#shared/ai/languageModel.ts';

const ToolCallView = z.object({ id: z.string(), name: z.string(), input: z.record(z.string(), z.unknown()) });

const Metadata = z.object({
  requestId: z.optional(z.string()),
  provider: z.string(),
  model: z.string(),
  usage: z.object({
    inputTokens: z.number(),
    inputCost: z.number(),
    outputTokens: z.number(),
    outputCost: z.number(),
  }),
  cost: z.number(),
  cached: z.boolean(),
  latency: z.number(),
  ttft: z.optional(z.number()),
  stopReason: z.enum(['stop', 'max_tokens', 'content_filter', 'tool_calls', 'other']),
  warnings: z.optional(
    z.array(
      z.object({ type: z.enum(['parameter_ignored', 'provider_limitation', 'fallback_used']), message: z.string() }),
    ),
  ),
  fallbackPath: z.optional(z.array(z.string())),
});
export type Metadata = z.infer<typeof Metadata>;
export type Warning = NonNullable<Metadata['warnings']>[number];

export const GenerationView = z.object({
  output: z.string(),
  reasoning: z.optional(z.string()),
  toolCalls: z.optional(z.array(ToolCallView)),
  metadata: Metadata,
});

/** A line of a stream. The last line is `finished`, with tool calls and metadata. */
export const ChunkView = z.object({
  output: z.optional(z.string()),
  reasoning: z.optional(z.string()),
  toolCalls: z.optional(z.array(ToolCallView)),
  created: z.number(),
  finished: z.optional(z.boolean()),
  metadata: z.optional(Metadata),
});
export type Chunk = z.infer<typeof ChunkView>;

const Limits = z.object({ maxTokens: z.number(), costPer1MTokens: z.number() });

export const ModelView = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string(),
  aliases: z.array(z.string()),
  tags: z.array(z.string()),
  input: Limits,
  output: Limits,
  lifecycle: z.enum(['production']),
});

export const viewToolCalls = ({ toolCalls }: Pick<Ending, 'toolCalls'>) => (toolCalls.length > 0 ? { toolCalls } : {});
