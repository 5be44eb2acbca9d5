/** What a generation costs, and what it may cost at most (docs/operations.md#spend). */
import type { Ending, Part, TextRequest } from '#shared/ai/languageModel.ts';
import type { ModelFacts } from '#shared/ai/modelFacts.ts';

const MILLION = 1_000_000;
/** A token of usual text. */
const CHARACTERS_PER_TOKEN = 4;
/** Images are scaled down before they are read; the largest of current models are below this. */
const MOST_TOKENS_PER_IMAGE = 5_000;
/** The instructions that a provider adds, for tools above all. */
const MOST_TOKENS_ADDED = 1_000;

type Usage = NonNullable<Ending['usage']>;

export function costOf({ inputTokens, outputTokens }: Usage, facts: ModelFacts) {
  const inputCost = (inputTokens * facts.inputPrice) / MILLION;
  const outputCost = (outputTokens * facts.outputPrice) / MILLION;
  return { usage: { inputTokens, inputCost, outputTokens, outputCost }, cost: inputCost + outputCost };
}

/** The text of a request, without the data of its images. */
function contentsOf({ turns, tools }: TextRequest): { text: string; images: number } {
  const isImage = (part: Part) => part.type === 'image';
  const parts = turns.flatMap(turn => ('parts' in turn ? turn.parts : []));
  const texts = turns.map(turn =>
    'parts' in turn ? { ...turn, parts: turn.parts.filter(part => !isImage(part)) } : turn,
  );
  return { text: JSON.stringify([texts, tools]), images: parts.filter(isImage).length };
}

/** For a provider that does not count. @param outputLength in characters */
export function estimateUsage(request: TextRequest, outputLength: number): Usage {
  const tokens = (length: number) => Math.ceil(length / CHARACTERS_PER_TOKEN);
  const { text, images } = contentsOf(request);
  return { inputTokens: tokens(text.length) + images * MOST_TOKENS_PER_IMAGE, outputTokens: tokens(outputLength) };
}

/** Limits an answer that costs money and has no limit, so that there is a most that it may cost. */
export const withLimit = (request: TextRequest, facts: ModelFacts): TextRequest =>
  facts.outputPrice > 0 ? { ...request, maxTokens: request.maxTokens ?? facts.outputTokens } : request;

/** The most that a request {@link withLimit} may cost, in US dollars. A token has a byte or more. */
export function mostCost(request: TextRequest, facts: ModelFacts): number {
  const { text, images } = contentsOf(request);
  const inputTokens = Buffer.byteLength(text) + images * MOST_TOKENS_PER_IMAGE + MOST_TOKENS_ADDED;
  return costOf({ inputTokens, outputTokens: request.maxTokens ?? facts.outputTokens }, facts).cost;
}
