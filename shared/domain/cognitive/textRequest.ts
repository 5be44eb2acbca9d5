import type { OptionalField, Part, TextRequest, Turn } from '#shared/ai/languageModel.ts';
import { invalidPayload } from '#shared/core/errors.ts';
import type { GenerateInput } from './cognitiveInputs.ts';
import { isImageUrl } from './imageUrl.ts';

type Message = GenerateInput['messages'][number];

export function toTextRequest(input: GenerateInput): TextRequest {
  const { tools = [], toolControl, systemPrompt, stopSequences, reasoningEffort, responseFormat } = input;
  if (toolControl?.mode === 'specific' && !tools.some(({ name }) => name === toolControl.toolName)) {
    throw invalidPayload(`The request has no tool ${toolControl.toolName}. Name one of its tools.`, 'toolControl');
  }
  const turns = input.messages.map(turnOf);
  if (systemPrompt) turns.unshift({ role: 'system', parts: [{ type: 'text', text: systemPrompt }] });
  return {
    turns,
    tools: tools.map(({ parameters = NO_PARAMETERS, ...tool }) => ({ ...tool, parameters })),
    toolChoice: toolControl,
    temperature: input.temperature,
    maxTokens: input.maxTokens,
    stop: typeof stopSequences === 'string' ? [stopSequences] : stopSequences,
    isJson: responseFormat !== undefined && responseFormat !== 'text',
    // The model decides for `dynamic`, and few models support `none`.
    reasoningEffort: reasoningEffort === 'dynamic' || reasoningEffort === 'none' ? undefined : reasoningEffort,
  };
}

const NO_PARAMETERS = { type: 'object', properties: {} };

function turnOf(message: Message, index: number): Turn {
  const path = `messages[${index}]`;
  const { role, toolCalls = [], toolResultCallId } = message;
  if (message.type === 'tool_result') {
    if (toolResultCallId === undefined) {
      throw invalidPayload('Must be the id of the tool call that this message answers.', `${path}.toolResultCallId`);
    }
    return { role: 'tool', callId: toolResultCallId, text: textOf(message) };
  }
  const parts = partsOf(message, path);
  if (role !== 'assistant') return { role, parts };
  const calls = toolCalls.map(({ id, function: { name, arguments: input } }) => ({ id, name, input: input ?? {} }));
  return { role, parts, toolCalls: calls };
}

function partsOf({ content }: Message, path: string): Part[] {
  if (typeof content === 'string') return content === '' ? [] : [{ type: 'text', text: content }];
  return (content ?? []).map((part, index): Part => {
    if (part.type === 'text') return part;
    if (part.type === 'image') return { type: 'image', url: imageUrl(part.url, `${path}.content[${index}].url`) };
    throw invalidPayload(
      'This installation does not transcribe audio. Send text and images only.',
      `${path}.content[${index}]`,
    );
  });
}

function imageUrl(url: string, path: string): string {
  if (isImageUrl(url)) return url;
  throw invalidPayload('Must be a data URI (data:image/png;base64,…), or an https URL with a public host.', path);
}

const textOf = ({ content }: Message) =>
  typeof content === 'string'
    ? content
    : (content ?? []).flatMap(part => (part.type === 'text' ? part.text : [])).join('\n');

export function ignoredFields(input: GenerateInput, request: TextRequest, ignores: readonly OptionalField[]): string[] {
  const names: Record<OptionalField, string> = { isJson: 'responseFormat', reasoningEffort: 'reasoningEffort' };
  return [...(input.search ? ['search'] : []), ...ignores.filter(field => request[field]).map(field => names[field])];
}
