export type Part = { type: 'text'; text: string } | { type: 'image'; url: string };

interface ToolCall {
  id: string;
  name: string;
  input: Record<string, unknown>;
}

/** A turn of a conversation. A tool's result belongs to a call in the preceding assistant turn. */
export type Turn =
  | { role: 'system' | 'user'; parts: Part[] }
  | { role: 'assistant'; parts: Part[]; toolCalls: ToolCall[] }
  | { role: 'tool'; callId: string; text: string };

interface Tool {
  name: string;
  description?: string | undefined;
  parameters: Record<string, unknown>;
  strict?: boolean | undefined;
}

export type ToolChoice = { mode: 'auto' | 'none' | 'required' } | { mode: 'specific'; toolName: string };

export interface TextRequest {
  turns: Turn[];
  tools: Tool[];
  /** This and the following fields default to the provider's defaults. */
  toolChoice?: (ToolChoice & { parallel?: boolean | undefined }) | undefined;
  temperature?: number | undefined;
  maxTokens?: number | undefined;
  stop?: string[] | undefined;
  isJson?: boolean | undefined;
  reasoningEffort?: 'low' | 'medium' | 'high' | undefined;
}

export type OptionalField = 'isJson' | 'reasoningEffort';

export type StopReason = 'stop' | 'max_tokens' | 'content_filter' | 'tool_calls' | 'other';

export interface Ending {
  toolCalls: ToolCall[];
  /** Names of tools that were called with invalid JSON, such as truncated JSON. */
  brokenCalls: string[];
  stopReason: StopReason;
  usage: { inputTokens: number; outputTokens: number } | undefined;
}

export interface Generation extends Ending {
  text: string;
  reasoning: string;
}

/** A chunk of a streamed completion. The last chunk has `ending`. */
export type Piece = { text: string } | { reasoning: string } | { ending: Ending };

export interface LanguageModel {
  provider: 'bedrock' | 'openai';
  id: string;
  ignores: readonly OptionalField[];
  /**
   * @throws ThrottledError after several throttled attempts
   * @throws RequestRejectedError if the service rejects the prompt or does not know the model
   * @throws the signal's reason once it is aborted
   */
  generate(request: TextRequest, signal: AbortSignal): Promise<Generation>;
  /** @throws the same errors before the first chunk; later failures end the iteration */
  stream(request: TextRequest, signal: AbortSignal): Promise<AsyncIterable<Piece>>;
}
