/** Unknown fields are ignored (docs/api/cognitive.md#cognitive). */
import * as z from 'zod/mini';

const MAX_MESSAGES = 1_000;
const MAX_PARTS = 100;
const MAX_TOOLS = 128;
const MAX_STOP_SEQUENCES = 16;
const MAX_FALLBACKS = 10;

const anyObject = () => z.record(z.string(), z.unknown());
const shortText = () => z.string().check(z.minLength(1), z.maxLength(200));

const TextPart = z.object({ type: z.literal('text'), text: z.string() });
const MediaPart = z.object({ type: z.enum(['image', 'audio']), url: z.string(), mimeType: z.optional(z.string()) });

const Message = z.object({
  role: z.enum(['user', 'assistant', 'system']),
  type: z.optional(z.enum(['text', 'tool_calls', 'tool_result', 'multipart'])),
  content: z.optional(
    z.nullable(z.union([z.string(), z.array(z.union([TextPart, MediaPart])).check(z.maxLength(MAX_PARTS))])),
  ),
  toolCalls: z.optional(
    z
      .array(
        z.object({
          id: shortText(),
          function: z.object({ name: shortText(), arguments: z.optional(z.nullable(anyObject())) }),
        }),
      )
      .check(z.maxLength(MAX_TOOLS)),
  ),
  toolResultCallId: z.optional(shortText()),
});

const Tool = z.object({
  name: z.string().check(z.regex(/^[\w-]{1,64}$/, { error: 'Must be 1 to 64 letters, digits, _ or -' })),
  description: z.optional(z.string()),
  parameters: z.optional(anyObject()),
  strict: z.optional(z.boolean()),
});

const parallel = z.optional(z.boolean());
const ToolControl = z.discriminatedUnion('mode', [
  z.object({ mode: z.literal('auto'), parallel }),
  z.object({ mode: z.literal('none') }),
  z.object({ mode: z.literal('required'), parallel }),
  z.object({ mode: z.literal('specific'), toolName: shortText(), parallel }),
]);

export const GenerateInput = z.object({
  messages: z.array(Message).check(z.minLength(1), z.maxLength(MAX_MESSAGES)),
  /** Model ids in order of preference, or `auto`, `best`, `fast`. */
  model: z.optional(z.union([shortText(), z.array(shortText()).check(z.maxLength(MAX_FALLBACKS))])),
  temperature: z.optional(z.number().check(z.minimum(0), z.maximum(2))),
  /** Deprecated in favor of a message with the role `system`. */
  systemPrompt: z.optional(z.string()),
  maxTokens: z.optional(z.int().check(z.minimum(1), z.maximum(1_000_000))),
  stopSequences: z.optional(z.union([shortText(), z.array(shortText()).check(z.maxLength(MAX_STOP_SEQUENCES))])),
  responseFormat: z.optional(z.enum(['text', 'json', 'json_object'])),
  reasoningEffort: z.optional(z.enum(['low', 'medium', 'high', 'dynamic', 'none'])),
  search: z.optional(z.unknown()),
  tools: z.optional(z.array(Tool).check(z.maxLength(MAX_TOOLS))),
  toolControl: z.optional(ToolControl),
  options: z.optional(z.object({ requestId: z.optional(shortText()) })),
});
export type GenerateInput = z.infer<typeof GenerateInput>;
