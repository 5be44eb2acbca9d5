/** OpenAI-compatible chat completion endpoints: Ollama, vLLM, LM Studio, OpenAI. */
import * as z from 'zod/mini';
import type { LanguageModel } from '#shared/ai/languageModel.ts';
import { type PostOptions, parseJson, postJson, RequestRejectedError } from '#shared/ai/postJson.ts';

const Answer = z.object({ choices: z.array(z.object({ message: z.object({ content: z.nullable(z.string()) }) })) });

/** Local models are slow. */
const TIMEOUT_MS = 60_000;
const ATTEMPTS = 2;

export interface OpenAiOptions extends PostOptions {
  /** Without `/chat/completions`: `http://localhost:11434/v1`. */
  baseUrl: string;
  model: string;
}

export const openai = ({ baseUrl, model: usual, ...asking }: OpenAiOptions): LanguageModel => ({
  id: usual,
  async complete({ system, prompt, model = usual, maxTokens }) {
    const messages = [
      ...(system === undefined ? [] : [{ role: 'system', content: system }]),
      { role: 'user', content: prompt },
    ];
    const body = { model, messages, max_tokens: maxTokens };
    const text = await postJson(`${baseUrl.replace(/\/$/, '')}/chat/completions`, body, {
      timeoutMs: TIMEOUT_MS,
      attempts: ATTEMPTS,
      ...asking,
    });
    const answer = Answer.safeParse(parseJson(text));
    const content = answer.success ? answer.data.choices[0]?.message.content : undefined;
    if (content === undefined || content === null) throw new RequestRejectedError('the model returned no text');
    return content;
  },
});
