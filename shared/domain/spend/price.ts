import type { Ending, Part, TextRequest } from '#shared/ai/languageModel.ts';
import type { ModelFacts } from '#shared/ai/languageModels/modelFacts.ts';

const MILLION = 1_000_000;
const CHARACTERS_PER_TOKEN = 4;
/** Providers scale images down; the largest of current models stay below this. */
const MAX_TOKENS_PER_IMAGE = 5_000;
/** Instructions added by the provider, mainly for tools. */
const MAX_TOKENS_ADDED = 1_000;

type Usage = NonNullable<Ending['usage']>;

export function costOf({ inputTokens, outputTokens }: Usage, facts: ModelFacts) {
  const inputCost = (inputTokens * facts.inputPrice) / MILLION;
  const outputCost = (outputTokens * facts.outputPrice) / MILLION;
  return { usage: { inputTokens, inputCost, outputTokens, outputCost }, cost: inputCost + outputCost };
}

function contentsOf({ turns, tools }: TextRequest): { text: string; images: number } {
  const isImage = (part: Part) => part.type === 'image';
  const parts = turns.flatMap(turn => ('parts' in turn ? turn.parts : []));
  const texts = turns.map(turn =>
    'parts' in turn ? { ...turn, parts: turn.parts.filter(part => !isImage(part)) } : turn,
  );
  return { text: JSON.stringify([texts, tools]), images: parts.filter(isImage).length };
}

export function estimateUsage(request: TextRequest, outputLength: number): Usage {
  const tokens = (length: number) => Math.ceil(length / CHARACTERS_PER_TOKEN);
  const { text, images } = contentsOf(request);
  return { inputTokens: tokens(text.length) + images * MAX_TOKENS_PER_IMAGE, outputTokens: tokens(outputLength) };
}

/** Caps a paid response that has no limit, so that its cost is bounded. */
export const withLimit = (request: TextRequest, facts: ModelFacts): TextRequest =>
  facts.outputPrice > 0 ? { ...request, maxTokens: request.maxTokens ?? facts.outputTokens } : request;

/** Returns US dollars. A token has at least one byte. */
export function maxCost(request: TextRequest, facts: ModelFacts): number {
  const { text, images } = contentsOf(request);
  const inputTokens = Buffer.byteLength(text) + images * MAX_TOKENS_PER_IMAGE + MAX_TOKENS_ADDED;
  return costOf({ inputTokens, outputTokens: request.maxTokens ?? facts.outputTokens }, facts).cost;
}
