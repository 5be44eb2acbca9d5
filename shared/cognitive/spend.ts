/** What a generation costs, counted as the contract's usage `ai_spend`. */
import { randomUUID } from 'node:crypto';
import type { Ending, TextRequest } from '#shared/ai/languageModel.ts';
import type { ModelFacts } from '#shared/ai/modelFacts.ts';
import type { Write } from '#shared/dynamodb/transaction.ts';
import { addUsage } from '#shared/dynamodb/workspace/usage.ts';

const MILLION = 1_000_000;
/** `ai_spend` counts billionths of a US dollar, as DynamoDB adds whole numbers exactly. */
const NANODOLLARS = 1_000_000_000;
/** A token of usual text. */
const CHARACTERS_PER_TOKEN = 4;

export type Cost = ReturnType<typeof costOf>;

export function costOf({ inputTokens, outputTokens }: NonNullable<Ending['usage']>, facts: ModelFacts) {
  const inputCost = (inputTokens * facts.inputPrice) / MILLION;
  const outputCost = (outputTokens * facts.outputPrice) / MILLION;
  return { usage: { inputTokens, inputCost, outputTokens, outputCost }, cost: inputCost + outputCost };
}

/** For a provider that does not count, or an answer whose reader left. @param outputLength in characters */
export function estimateUsage({ turns, tools }: TextRequest, outputLength: number): NonNullable<Ending['usage']> {
  const tokens = (length: number) => Math.ceil(length / CHARACTERS_PER_TOKEN);
  return { inputTokens: tokens(JSON.stringify([turns, tools]).length), outputTokens: tokens(outputLength) };
}

/** @returns no write for what costs nothing */
export function spendWrites(
  { workspaceId, botId, nowMs }: { workspaceId: string; botId: string; nowMs: number },
  { cost }: Cost,
): Write[] {
  const spent = Math.round(cost * NANODOLLARS);
  return spent === 0 ? [] : [addUsage(workspaceId, 'ai_spend', spent, { botId, of: randomUUID(), nowMs })];
}
