/** Serves a fake language model with OpenAI's protocol. */
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, vi } from 'vitest';
import { MODEL_VARIABLES } from '#shared/ai/languageModels/chooseModel.ts';

interface ModelRequest {
  path: string;
  authorization: string | undefined;
  // biome-ignore lint/suspicious/noExplicitAny: whatever the platform sent
  body: any;
}

interface ModelAnswer {
  text?: string;
  reasoning?: string;
  toolCalls?: { id: string; name: string; arguments: string }[];
  /** Tokens are not counted where it is undefined. */
  usage?: { prompt_tokens: number; completion_tokens: number };
  finishReason?: string;
  /** Status of an error response. */
  status?: number;
  error?: string;
  hangs?: boolean;
  /** Closes the connection without a response. */
  drops?: boolean;
  /** Closes the connection after this many pieces. */
  breaksAfter?: number;
}

const USUAL: ModelAnswer = { text: 'That.', usage: { prompt_tokens: 1_000, completion_tokens: 500 } };

export interface TestModel {
  requests: ModelRequest[];
  /** Sets the responses to the next requests, in order; later ones receive the default. */
  plan(...answers: ModelAnswer[]): void;
  /** Derives responses from requests. */
  answerWith(answer: (request: ModelRequest) => ModelAnswer): void;
}

/** Settings of the platform for this model. A thousand tokens cost a dollar as input and two as output. */
export const MODEL = 'stand-in-1';
const PRICES = { [MODEL_VARIABLES.inputPrice]: '1000', [MODEL_VARIABLES.outputPrice]: '2000' };

export function useModel(): TestModel {
  const planned: ModelAnswer[] = [];
  const requests: ModelRequest[] = [];
  let usual: (request: ModelRequest) => ModelAnswer = () => USUAL;
  const server = createServer(async (incoming, outgoing) => {
    const request = {
      path: incoming.url!,
      authorization: incoming.headers.authorization,
      // biome-ignore lint/suspicious/noExplicitAny: whatever the platform sent
      body: (await json(incoming)) as any,
    };
    requests.push(request);
    const answer = planned.shift() ?? usual(request);
    if (answer.hangs) return;
    if (answer.drops) return void outgoing.destroy();
    if (answer.status !== undefined) {
      outgoing.writeHead(answer.status, { 'content-type': 'application/json' });
      outgoing.end(JSON.stringify({ error: { message: answer.error } }));
    } else if (request.body.stream) sendChunks(answer, outgoing);
    else outgoing.end(JSON.stringify(completionOf(answer)));
  });
  beforeAll(async () => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
    const settings = {
      [MODEL_VARIABLES.model]: `openai:${MODEL}`,
      [MODEL_VARIABLES.url]: url,
      [MODEL_VARIABLES.apiKey]: 'sk-secret',
      ...PRICES,
    };
    for (const [name, value] of Object.entries(settings)) vi.stubEnv(name, value);
  });
  beforeEach(() => {
    planned.length = 0;
    requests.length = 0;
    usual = () => USUAL;
  });
  afterAll(() => {
    vi.unstubAllEnvs();
    server.closeAllConnections();
    server.close();
  });
  return {
    requests,
    plan: (...answers) => void planned.push(...answers),
    answerWith: answer => {
      usual = answer;
    },
  };
}

const finishReasonOf = ({ finishReason, toolCalls }: ModelAnswer) =>
  finishReason ?? (toolCalls ? 'tool_calls' : 'stop');
const callsOf = ({ toolCalls }: ModelAnswer) =>
  toolCalls?.map(({ id, name, arguments: text }) => ({ id, type: 'function', function: { name, arguments: text } }));

const completionOf = (answer: ModelAnswer) => ({
  id: 'completion',
  choices: [
    {
      index: 0,
      message: {
        role: 'assistant',
        content: answer.text ?? null,
        reasoning_content: answer.reasoning,
        tool_calls: callsOf(answer),
      },
      finish_reason: finishReasonOf(answer),
    },
  ],
  usage: answer.usage,
});

/** Sends each word separately, and each tool call in two halves. */
function sendChunks(answer: ModelAnswer, outgoing: ServerResponse): void {
  outgoing.writeHead(200, { 'content-type': 'text/event-stream' });
  const words = (answer.text ?? '').match(/\S+\s*/g) ?? [];
  const halves = (callsOf(answer) ?? []).flatMap(({ function: made, ...call }, index) => {
    const middle = Math.floor(made.arguments.length / 2);
    return [
      { index, ...call, function: { name: made.name, arguments: made.arguments.slice(0, middle) } },
      { index, function: { arguments: made.arguments.slice(middle) } },
    ];
  });
  const deltas: object[] = [
    ...(answer.reasoning ? [{ reasoning_content: answer.reasoning }] : []),
    ...words.map(content => ({ content })),
    ...halves.map(half => ({ tool_calls: [half] })),
  ];
  const send = (data: object) => outgoing.write(`data: ${JSON.stringify(data)}\r\n\r\n`);
  const sent = answer.breaksAfter === undefined ? deltas : deltas.slice(0, answer.breaksAfter);
  for (const delta of sent) send({ choices: [{ index: 0, delta, finish_reason: null }] });
  if (answer.breaksAfter !== undefined) {
    setTimeout(() => outgoing.destroy(), 100);
    return;
  }
  send({ choices: [{ index: 0, delta: {}, finish_reason: finishReasonOf(answer) }] });
  if (answer.usage) send({ choices: [], usage: answer.usage });
  outgoing.end('data: [DONE]\n\n');
}
