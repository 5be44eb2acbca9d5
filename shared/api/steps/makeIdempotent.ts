/**
 * Stores the response of a POST with an `Idempotency-Key` for 24 hours, in the transaction of its writes. Errors are
 * not stored (docs/api/conventions.md#idempotency).
 */
import type { Answer } from '#shared/api/operation.ts';
import type { Operation } from '#shared/api/operations/operations.ts';
import { invalidPayload } from '#shared/core/errors.ts';
import { hashText } from '#shared/core/ids.ts';
import { looksRandom, MIN_SECRET_LENGTH } from '#shared/core/randomness.ts';
import { seal, unseal } from '#shared/core/seal.ts';
import {
  findStoredResponse,
  keepValue,
  putStoredResponse,
  StoredResponse,
} from '#shared/storage/dynamodb/engine/idempotency.ts';
import { loadValue, storeValue } from '#shared/storage/dynamodb/engine/largeValue.ts';
import { write } from '#shared/storage/dynamodb/engine/transaction.ts';
import { type CallState, header, type Middleware } from './startCall.ts';

const VALID_KEY = /^[\x21-\x7e]{1,255}$/;

export class AlreadyProcessed extends Error {
  override readonly name = 'AlreadyProcessed';
  readonly answer: Answer;
  constructor(answer: Answer) {
    super();
    this.answer = answer;
  }
}

export const makeIdempotent = (operation: Operation): Middleware => ({
  before: async ({ event }) => {
    const { call } = event;
    const key = operation.method === 'POST' ? header(event, 'idempotency-key') : undefined;
    if (key === undefined) {
      call.commit = async (answer, writes) => {
        await write(writes);
        return answer;
      };
      call.keepOnce = async make => ({ value: await make(), isRepeated: false });
      return;
    }

    if (!VALID_KEY.test(key)) throw invalidPayload('Must be 1 to 255 printable ASCII characters.', 'Idempotency-Key');
    const keyHash = hashText('key', JSON.stringify(call.callerScope), key);
    const secret = operation.showsSecret ? sealSecretOf(call, key) : undefined;
    const requestHash = hashText('request', operation.name, JSON.stringify(call.input));

    const stored = await findStoredResponse(call.tenant, keyHash, call.nowMs);
    if (stored) throw await repeated(stored, requestHash, secret);

    call.keepOnce = make => keepValue(call.tenant, hashText('kept', keyHash, requestHash), call.nowMs, make);

    call.commit = async (answer, writes) => {
      const body = await storeValue(call.tenant, secret ? seal(answer.body, secret) : answer.body);
      const keep = { requestHash, status: answer.status, body, nowMs: call.nowMs };
      try {
        await write([
          putStoredResponse(call.tenant, keyHash, keep, existing => new StoredMeanwhile(existing)),
          ...writes,
        ]);
      } catch (error) {
        if (error instanceof StoredMeanwhile) throw await repeated(error.stored, requestHash, secret);
        throw error;
      }
      return answer;
    };
  },
});

/** Without a token, only an unguessable Idempotency-Key protects the stored response. */
function sealSecretOf({ callerSecret, input }: CallState, key: string): string {
  if (callerSecret !== undefined) return `${callerSecret} ${key}`;
  if (!looksRandom(key)) {
    throw invalidPayload(
      `This key protects a stored secret. Use at least ${MIN_SECRET_LENGTH} random characters, such as a UUID.`,
      'Idempotency-Key',
    );
  }
  return `${JSON.stringify(input)} ${key}`;
}

class StoredMeanwhile extends Error {
  readonly stored: StoredResponse;
  constructor(existing: unknown) {
    super();
    this.stored = StoredResponse.parse(existing);
  }
}

async function repeated(stored: StoredResponse, requestHash: string, secret: string | undefined): Promise<Error> {
  if (stored.requestHash !== requestHash) {
    return invalidPayload(
      'This key was used with a different request within the last 24 hours. Use a new key for each request.',
      'Idempotency-Key',
    );
  }
  const body = await loadValue(stored);
  return new AlreadyProcessed({ status: stored.status, body: secret ? unseal(body as string, secret) : body });
}
