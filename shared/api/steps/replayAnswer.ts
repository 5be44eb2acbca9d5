/**
 * `Idempotency-Key` on everything that creates (FACTS, decisions): the first answer is kept for 24 hours, in the same
 * transaction as what it created, so there is no moment in which one exists without the other. The same key with
 * another request is a 400. Refusals are not kept: they created nothing and may run again.
 */

import type { Answer, Operation } from '#shared/api/operation.ts';
import { seal, unseal } from '#shared/api/seal.ts';
import { findAnswer, keepValue, putAnswer, StoredAnswer } from '#shared/dynamodb/idempotency.ts';
import { write } from '#shared/dynamodb/transaction.ts';
import { invalidPayload } from '#shared/errors.ts';
import { hashText } from '#shared/ids.ts';
import { loadValue, storeValue } from '#shared/s3/largeValue.ts';
import { type CallState, header, type Middleware } from './startCall.ts';

/** Printable ASCII, as header values are. */
const VALID_KEY = /^[\x21-\x7e]{1,255}$/;

/** This call was answered before: not a failure, but the way out of the chain. */
export class AlreadyAnswered extends Error {
  override readonly name = 'AlreadyAnswered';
  readonly answer: Answer;
  constructor(answer: Answer) {
    super();
    this.answer = answer;
  }
}

/** Answers a repeated call, and otherwise gives the call its `commit` and `keepOnce`. */
export const replayAnswer = (operation: Operation): Middleware => ({
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
    // An answer that shows a secret is kept so that only who asked for it can read it.
    const secret = 'showsSecret' in operation && operation.showsSecret ? `${sealSecretOf(call)} ${key}` : undefined;
    const requestHash = hashText('request', operation.name, JSON.stringify(call.input));

    const kept = await findAnswer(call.tenant, keyHash, call.nowMs);
    if (kept) throw await repeated(kept, requestHash, secret);

    call.keepOnce = make => keepValue(call.tenant, hashText('kept', keyHash, requestHash), call.nowMs, make);

    call.commit = async (answer, writes) => {
      const body = await storeValue(call.tenant, secret ? seal(answer.body, secret) : answer.body);
      const keep = { requestHash, status: answer.status, body, nowMs: call.nowMs };
      try {
        await write([putAnswer(call.tenant, keyHash, keep, existing => new KeptMeanwhile(existing)), ...writes]);
      } catch (error) {
        if (error instanceof KeptMeanwhile) throw await repeated(error.kept, requestHash, secret);
        throw error;
      }
      return answer;
    };
  },
});

/** Whoever calls without a token brings his secret in the input. */
const sealSecretOf = ({ callerSecret, input }: CallState) => callerSecret ?? JSON.stringify(input);

/** A parallel call with the same key came first. */
class KeptMeanwhile extends Error {
  readonly kept: StoredAnswer;
  constructor(existing: unknown) {
    super();
    this.kept = StoredAnswer.parse(existing);
  }
}

async function repeated(kept: StoredAnswer, requestHash: string, secret: string | undefined): Promise<Error> {
  if (kept.requestHash !== requestHash) {
    return invalidPayload('This key was used with another request within the last 24 hours.', 'Idempotency-Key');
  }
  const body = await loadValue(kept);
  return new AlreadyAnswered({ status: kept.status, body: secret ? unseal(body as string, secret) : body });
}
