import type * as z from 'zod/mini';
import type { Generation, LanguageModel, Piece, TextRequest } from '#shared/ai/languageModel.ts';
import { type PostOptions, parseJson, postForStream, postJson, RequestRejectedError } from '#shared/ai/postJson.ts';
import { readLines } from '#shared/core/readLines.ts';
import { ANSWER, CHUNK, requestOf, stopReasonOf, usageOf } from './openaiFormat.ts';
import { sortToolCalls } from './toolInput.ts';

const ATTEMPTS = 2;

export interface OpenAiOptions extends PostOptions {
  /** Without `/chat/completions`: `http://localhost:11434/v1`. */
  baseUrl: string;
  model: string;
}

export const openai = ({ baseUrl, model, ...postOptions }: OpenAiOptions): LanguageModel => {
  const url = `${baseUrl.replace(/\/$/, '')}/chat/completions`;
  return {
    provider: 'openai',
    id: model,
    ignores: [],
    generate: async (request, signal) =>
      readAnswer(await postJson(url, requestOf(model, request), { ...UNTIMED, ...postOptions, signal })),
    stream: async (request: TextRequest, signal) => {
      const body = { ...requestOf(model, request), stream: true, stream_options: { include_usage: true } };
      return readPieces(await postForStream(url, body, { ...UNTIMED, ...postOptions, signal }));
    },
  };
};

/** The caller's signal limits the time. `fetch` requires a number. */
const UNTIMED = { timeoutMs: 15 * 60_000, attempts: ATTEMPTS, isPaid: true };

function readAnswer(text: string): Generation {
  const answer = ANSWER.safeParse(parseJson(text));
  const choice = answer.success ? answer.data.choices[0] : undefined;
  if (!answer.success || !choice) throw new RequestRejectedError('the model returned no response');
  const { content, reasoning_content, reasoning, tool_calls } = choice.message;
  const calls = (tool_calls ?? []).map(({ id, function: made }) => ({ id, name: made.name, text: made.arguments }));
  return {
    text: content ?? '',
    reasoning: reasoning_content ?? reasoning ?? '',
    ...sortToolCalls(calls),
    stopReason: stopReasonOf(choice.finish_reason, calls.length > 0),
    usage: usageOf(answer.data.usage),
  };
}

/** Reads server-sent events. Tool calls are streamed in fragments that share an index. */
async function* readPieces(stream: ReadableStream<string>): AsyncIterable<Piece> {
  const calls = new Map<number, { id: string; name: string; text: string }>();
  let reason: string | null | undefined;
  let usage: z.infer<typeof CHUNK>['usage'];
  for await (const line of readLines(stream)) {
    const data = line.startsWith('data:') ? line.slice('data:'.length).trim() : '';
    if (data === '' || data === '[DONE]') continue;
    const chunk = CHUNK.safeParse(parseJson(data));
    if (!chunk.success) throw new RequestRejectedError('the model returned a response in an unknown format');
    usage = chunk.data.usage ?? usage;
    const [choice] = chunk.data.choices;
    if (!choice) continue;
    reason = choice.finish_reason ?? reason;
    const { content, reasoning_content, reasoning = reasoning_content, tool_calls } = choice.delta ?? {};
    if (reasoning) yield { reasoning };
    if (content) yield { text: content };
    for (const { index, id, function: made } of tool_calls ?? []) {
      const call = calls.get(index) ?? { id: '', name: '', text: '' };
      calls.set(index, {
        id: call.id || (id ?? ''),
        name: call.name || (made?.name ?? ''),
        text: call.text + (made?.arguments ?? ''),
      });
    }
  }
  const stopReason = stopReasonOf(reason, calls.size > 0);
  yield { ending: { ...sortToolCalls([...calls.values()]), stopReason, usage: usageOf(usage) } };
}
