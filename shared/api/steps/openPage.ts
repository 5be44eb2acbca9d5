/** `nextToken` is signed, bound to its list, and names the last item of a page (docs/api/conventions.md#paging). */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { pathVariables } from '#shared/api/operation.ts';
import type { Operation } from '#shared/api/operations/operations.ts';
import { invalidPayload } from '#shared/core/errors.ts';
import type { CallState, Middleware } from './startCall.ts';

const SIGNATURE_BYTES = 16;

export const openPage = (operation: Operation): Middleware => ({
  before: ({ event: { call } }) => {
    if (operation.method !== 'GET') return;
    const token = call.input.nextToken;
    call.pageStart = token ? positionIn(operation, call, String(token)) : undefined;
    call.nextToken = position => tokenFor(operation, call, position);
  },
});

function tokenFor(operation: Operation, call: CallState, position: string): string {
  return Buffer.concat([signature(operation, call, position), Buffer.from(position)]).toString('base64url');
}

function positionIn(operation: Operation, call: CallState, token: string): string {
  const bytes = Buffer.from(token, 'base64url');
  const position = bytes.subarray(SIGNATURE_BYTES).toString();
  const given = bytes.subarray(0, SIGNATURE_BYTES);
  const isOurs =
    given.length === SIGNATURE_BYTES &&
    timingSafeEqual(given, signature(operation, call, position)) &&
    // Compares the exact text, because decoding is lenient.
    bytes.toString('base64url') === token;
  if (!isOurs) {
    throw invalidPayload(
      'nextToken is invalid for this list. Pass the nextToken of the previous page unchanged.',
      'nextToken',
    );
  }
  return position;
}

function signature(operation: Operation, call: CallState, position: string): Buffer {
  const { nextToken: _, ...filters } = call.input;
  const list = [operation.name, call.callerScope, filters, pathVariables(operation.path)];
  return createHmac('sha256', call.pageKey)
    .update(`nextToken ${JSON.stringify(list)} ${position}`)
    .digest()
    .subarray(0, SIGNATURE_BYTES);
}
