/** The one language model of an installation, which answers for every model that is asked for. */
import { chooseModel, MODEL_VARIABLES } from '#shared/ai/chooseModel.ts';
import type { LanguageModel } from '#shared/ai/languageModel.ts';
import { RequestRejectedError } from '#shared/ai/postJson.ts';
import { ThrottledError } from '#shared/ai/throttledError.ts';
import { ApiError, invalidPayload, notConfigured } from '#shared/core/errors.ts';

/** The contract's names for whichever model suits. */
export const ANY_MODEL = ['auto', 'best', 'fast'];

/** @throws ApiError with the status 501 and the name of the setting */
export async function requireModel(): Promise<LanguageModel> {
  const model = await chooseModel();
  if (model) return model;
  throw notConfigured(
    `No language model is configured in this installation. Its operator sets ${MODEL_VARIABLES.model}; on AWS, the context \`model\`.`,
    MODEL_VARIABLES.model,
  );
}

/** Its id on the wire, with the provider, as in the contract. */
export const wireIdOf = ({ provider, id }: Pick<LanguageModel, 'provider' | 'id'>) => `${provider}:${id}`;

/** The models that a caller prefers to the one that is there. @param asked in order */
export function unavailable(asked: readonly string[], model: LanguageModel): string[] {
  const own = asked.findIndex(name => name === wireIdOf(model) || name === model.id || ANY_MODEL.includes(name));
  return asked.slice(0, own < 0 ? asked.length : own);
}

/** The caller's faults are 400, those that a repetition may cure 429 and 504. */
export function toApiError(error: unknown): unknown {
  if (error instanceof ThrottledError) {
    return new ApiError('RateLimited', 'The language model is busy or out of reach. Retry in a few seconds.', {
      cause: error,
    });
  }
  if (error instanceof DOMException && error.name === 'TimeoutError') {
    return new ApiError(
      'OperationTimeout',
      'The language model took too long. Ask for fewer tokens with maxTokens, or use generate-text-stream.',
    );
  }
  if (!(error instanceof RequestRejectedError)) return error;
  // What a provider says of its key is for the operator, and may quote it.
  const isOfRequest = error.status === undefined || REQUEST_FAULTS.has(error.status);
  return isOfRequest
    ? invalidPayload(`The language model rejected the request: ${error.message}`)
    : new ApiError(
        'Runtime',
        `The language model's provider refused this installation with status ${error.status}. Its operator has to check ${MODEL_VARIABLES.model} and ${MODEL_VARIABLES.apiKey}.`,
        { cause: error },
      );
}

const REQUEST_FAULTS = new Set([400, 413, 422]);
