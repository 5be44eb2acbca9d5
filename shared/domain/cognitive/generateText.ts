import type { Ending, Generation, LanguageModel, Piece, TextRequest } from '#shared/ai/languageModel.ts';
import { type ModelFacts, modelFacts } from '#shared/ai/languageModels/modelFacts.ts';
import { clock } from '#shared/core/clock.ts';
import { costOf, estimateUsage, maxCost, withLimit } from '#shared/domain/spend/price.ts';
import {
  mayBeBilled,
  type Reservation,
  reserve,
  type Spender,
  withSpendReservation,
} from '#shared/domain/spend/reserve.ts';
import type { GenerateInput } from './cognitiveInputs.ts';
import { type Chunk, type Metadata, viewToolCalls, type Warning } from './cognitiveViews.ts';
import { inlineImages } from './inlineImages.ts';
import { requireModel, toApiError, unavailable, wireIdOf } from './servedModel.ts';
import { ignoredFields, toTextRequest } from './textRequest.ts';

/** Time reserved for storing and sending the response. */
const RESERVE_MS = 3_000;

interface Started {
  input: GenerateInput;
  model: LanguageModel;
  request: TextRequest;
  facts: ModelFacts;
  startMs: number;
  signal: AbortSignal;
}

async function start(input: GenerateInput, deadlineMs: number, abort?: AbortSignal): Promise<Started> {
  const model = await requireModel();
  const facts = modelFacts();
  const startMs = clock.now();
  const timeout = AbortSignal.timeout(Math.max(1, deadlineMs - startMs - RESERVE_MS));
  const signal = abort ? AbortSignal.any([abort, timeout]) : timeout;
  // Validates the whole request before fetching images.
  toTextRequest(input);
  const request = withLimit(toTextRequest(await inlineImages(input, signal)), facts);
  return { input, model, request, facts, startMs, signal };
}

export async function generate(input: GenerateInput, spender: Spender & { deadlineMs: number }) {
  const started = await start(input, spender.deadlineMs);
  const { model, request, facts, signal } = started;
  const { generation, cost } = await withSpendReservation(spender, maxCost(request, facts), async () => {
    const generation = await model.generate(request, signal);
    const cost = costOf(usageOf(started, generation, generation.text.length), facts);
    return { result: { generation, cost }, dollars: cost.cost };
  }).catch(error => {
    throw toApiError(error);
  });
  return {
    output: generation.text,
    ...(generation.reasoning ? { reasoning: generation.reasoning } : {}),
    ...viewToolCalls(generation),
    metadata: metadataOf(started, generation, cost),
  };
}

/** Resolves once the model starts to respond, so earlier failures become ordinary error responses. */
export async function generateStream(
  input: GenerateInput,
  spender: Spender & { deadlineMs: number },
): Promise<AsyncIterable<string>> {
  const leaving = new AbortController();
  const started = await start(input, spender.deadlineMs, leaving.signal);
  const reservation = await reserve(spender, maxCost(started.request, started.facts));
  let pieces: AsyncIterator<Piece>;
  let first: IteratorResult<Piece>;
  try {
    pieces = (await started.model.stream(started.request, started.signal))[Symbol.asyncIterator]();
    first = await pieces.next();
  } catch (error) {
    if (!mayBeBilled(error)) await reservation.settle(0);
    throw toApiError(error);
  }
  return sendPieces(started, reservation, { first, pieces, ttft: clock.now() - started.startMs, leaving });
}

interface Opened {
  first: IteratorResult<Piece>;
  pieces: AsyncIterator<Piece>;
  ttft: number;
  leaving: AbortController;
}

async function* sendPieces(started: Started, reservation: Reservation, { first, pieces, ttft, leaving }: Opened) {
  let length = 0;
  let ending: Ending | undefined;
  const line = (chunk: Omit<Chunk, 'created'>) => `${JSON.stringify({ ...chunk, created: clock.now() })}\n`;
  try {
    for (let next = first; !next.done; next = await pieces.next()) {
      const { value: piece } = next;
      if ('ending' in piece) ending = piece.ending;
      else if ('text' in piece) {
        length += piece.text.length;
        yield line({ output: piece.text });
      } else {
        length += piece.reasoning.length;
        yield line({ reasoning: piece.reasoning });
      }
    }
    if (!ending) throw new Error("The model's stream ended without a final chunk.");
    const cost = costOf(usageOf(started, ending, length), started.facts);
    yield line({
      ...viewToolCalls(ending),
      finished: true,
      metadata: { ...metadataOf(started, ending, cost), ttft },
    });
  } finally {
    leaving.abort();
    // An aborted stream keeps its reservation, because the provider did not report the tokens it generated.
    if (ending) await reservation.settle(costOf(usageOf(started, ending, length), started.facts).cost);
  }
}

const usageOf = ({ request }: Started, { usage }: Ending, outputLength: number) =>
  usage ?? estimateUsage(request, outputLength);

function metadataOf(
  { input, model, request, startMs }: Started,
  ending: Ending | Generation,
  cost: ReturnType<typeof costOf>,
): Metadata {
  const fallbackPath = unavailable([input.model ?? []].flat(), model);
  const warnings = [
    ...ignoredFields(input, request, model.ignores).map(
      (field): Warning => ({
        type: 'parameter_ignored',
        message: `${field} is ignored: this installation's model does not support it.`,
      }),
    ),
    ...ending.brokenCalls.map(
      (name): Warning => ({
        type: 'provider_limitation',
        message: `A call to the tool ${name} was dropped because its input is not a JSON object.`,
      }),
    ),
    ...(fallbackPath.length > 0
      ? [{ type: 'fallback_used' as const, message: `This installation has one model, ${wireIdOf(model)}.` }]
      : []),
  ];
  const { requestId } = input.options ?? {};
  return {
    ...(requestId === undefined ? {} : { requestId }),
    provider: model.provider,
    model: wireIdOf(model),
    ...cost,
    cached: false,
    latency: clock.now() - startMs,
    stopReason: ending.stopReason,
    ...(warnings.length > 0 ? { warnings } : {}),
    ...(fallbackPath.length > 0 ? { fallbackPath } : {}),
  };
}
