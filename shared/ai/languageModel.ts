/** A language model: it continues a conversation, with tools that it may call, and returns or streams its answer. */

export type Part = { type: 'text'; text: string } | { type: 'image'; url: string };

interface ToolCall {
  id: string;
  name: string;
  input: Record<string, unknown>;
}

/** A turn of a conversation. A tool's result answers one of the calls of the assistant's turn before it. */
export type Turn =
  | { role: 'system' | 'user'; parts: Part[] }
  | { role: 'assistant'; parts: Part[]; toolCalls: ToolCall[] }
  | { role: 'tool'; callId: string; text: string };

interface Tool {
  name: string;
  description?: string | undefined;
  /** JSON Schema of an object. */
  parameters: Record<string, unknown>;
  strict?: boolean | undefined;
}

export type ToolChoice = { mode: 'auto' | 'none' | 'required' } | { mode: 'specific'; toolName: string };

export interface TextRequest {
  turns: Turn[];
  tools: Tool[];
  /** The provider's default unless set, as for all that follow. */
  toolChoice?: (ToolChoice & { parallel?: boolean | undefined }) | undefined;
  temperature?: number | undefined;
  maxTokens?: number | undefined;
  stop?: string[] | undefined;
  isJson?: boolean | undefined;
  reasoningEffort?: 'low' | 'medium' | 'high' | undefined;
}

/** The fields of a request that not every provider has. */
export type OptionalField = 'isJson' | 'reasoningEffort';

export type StopReason = 'stop' | 'max_tokens' | 'content_filter' | 'tool_calls' | 'other';

export interface Ending {
  toolCalls: ToolCall[];
  /** The tools whose call had no valid JSON for its input, as one that was truncated. */
  brokenCalls: string[];
  stopReason: StopReason;
  /** Undefined where the provider does not count. */
  usage: { inputTokens: number; outputTokens: number } | undefined;
}

export interface Generation extends Ending {
  text: string;
  reasoning: string;
}

/** What arrives of an answer; the ending comes last. */
export type Piece = { text: string } | { reasoning: string } | { ending: Ending };

export interface LanguageModel {
  provider: 'bedrock' | 'openai';
  /** The provider's id of the configured model. */
  id: string;
  /** What it takes no notice of. */
  ignores: readonly OptionalField[];
  /**
   * @throws ThrottledError when the service still asks to retry later after several attempts
   * @throws RequestRejectedError when the service rejects the prompt or does not know the model
   * @throws the reason of the signal, once it is aborted
   */
  generate(request: TextRequest, signal: AbortSignal): Promise<Generation>;
  /** @throws the same errors before the first piece; a failure after it ends the iteration */
  stream(request: TextRequest, signal: AbortSignal): Promise<AsyncIterable<Piece>>;
}
