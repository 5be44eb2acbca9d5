/**
 * `nextToken`s: opaque, signed, and bound to their list. A token says after which item the next page starts, so what is
 * inserted or deleted meanwhile neither repeats nor hides an item that stayed.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { type Operation, pathVariables } from '#shared/api/operation.ts';
import { invalidPayload } from '#shared/errors.ts';
import type { CallState, Middleware } from './startCall.ts';

const SIGNATURE_BYTES = 16;

/** Gives the call `pageStart`, out of its token, and `nextToken`. */
export const openPage = (operation: Operation): Middleware => ({
  before: ({ event: { call } }) => {
    if (operation.method !== 'GET') return;
    const token = call.input.nextToken;
    call.pageStart = token ? opened(operation, call, String(token)) : undefined;
    call.nextToken = position => sealed(operation, call, position);
  },
});

function sealed(operation: Operation, call: CallState, position: string): string {
  return Buffer.concat([signature(operation, call, position), Buffer.from(position)]).toString('base64url');
}

/** @throws ApiError InvalidPayload for whatever this list did not hand out itself */
function opened(operation: Operation, call: CallState, token: string): string {
  const bytes = Buffer.from(token, 'base64url');
  const position = bytes.subarray(SIGNATURE_BYTES).toString();
  const given = bytes.subarray(0, SIGNATURE_BYTES);
  const isOurs =
    given.length === SIGNATURE_BYTES &&
    timingSafeEqual(given, signature(operation, call, position)) &&
    // Decoding is lenient: only the spelling that left here comes in again.
    bytes.toString('base64url') === token;
  if (!isOurs) throw invalidPayload('This is no token of this list. Take nextToken from the page before.', 'nextToken');
  return position;
}

/** The list: its operation, who asks and where, and everything it is filtered by. */
function signature(operation: Operation, call: CallState, position: string): Buffer {
  const { nextToken: _, ...filters } = call.input;
  const list = [operation.name, call.callerScope, filters, pathVariables(operation.path)];
  return createHmac('sha256', call.pageKey)
    .update(`nextToken ${JSON.stringify(list)} ${position}`)
    .digest()
    .subarray(0, SIGNATURE_BYTES);
}
