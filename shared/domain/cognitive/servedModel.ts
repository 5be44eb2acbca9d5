/** An installation has one language model, which handles requests for any model. */

import type { LanguageModel } from '#shared/ai/languageModel.ts';
import { chooseModel, MODEL_VARIABLES } from '#shared/ai/languageModels/chooseModel.ts';
import { RequestRejectedError } from '#shared/ai/postJson.ts';
import { ThrottledError } from '#shared/ai/throttledError.ts';
import { ApiError, invalidPayload, notConfigured } from '#shared/core/errors.ts';

export const ANY_MODEL = ['auto', 'best', 'fast'];

/** @throws ApiError 501 naming the setting */
export async function requireModel(): Promise<LanguageModel> {
  const model = await chooseModel();
  if (model) return model;
  throw notConfigured(
    `No language model is configured in this installation. The operator must set ${MODEL_VARIABLES.model} or, on AWS, the context \`model\`.`,
    MODEL_VARIABLES.model,
  );
}

export const wireIdOf = ({ provider, id }: Pick<LanguageModel, 'provider' | 'id'>) => `${provider}:${id}`;

/** Returns the requested models that precede the installation's model. */
export function unavailable(requested: readonly string[], model: LanguageModel): string[] {
  const own = requested.findIndex(name => name === wireIdOf(model) || name === model.id || ANY_MODEL.includes(name));
  return requested.slice(0, own < 0 ? requested.length : own);
}

/** Maps errors of the request to 400, and transient errors to 429 and 504. */
export function toApiError(error: unknown): unknown {
  if (error instanceof ThrottledError) {
    return new ApiError('RateLimited', 'The language model is busy or unreachable. Retry in a few seconds.', {
      cause: error,
    });
  }
  if (error instanceof DOMException && error.name === 'TimeoutError') {
    return new ApiError(
      'OperationTimeout',
      'The language model timed out. Lower maxTokens, or use generate-text-stream.',
    );
  }
  if (!(error instanceof RequestRejectedError)) return error;
  // The provider's error about its key may quote the key: only the operator sees it.
  const isOfRequest = error.status === undefined || REQUEST_FAULTS.has(error.status);
  return isOfRequest
    ? invalidPayload(`The language model rejected the request: ${error.message}`)
    : new ApiError(
        'Runtime',
        `The language model's provider rejected this installation with status ${error.status}. The operator must check ${MODEL_VARIABLES.model} and ${MODEL_VARIABLES.apiKey}.`,
        { cause: error },
      );
}

const REQUEST_FAULTS = new Set([400, 413, 422]);
