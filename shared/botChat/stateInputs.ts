/** Inputs of the operations on states. */
import * as z from 'zod/mini';
import { STATE_TYPES } from '#shared/dynamodb/chat/states.ts';
import { invalidPayload } from '#shared/errors.ts';

/** How long a state may be idle, in milliseconds: the contract's bounds. Null is for ever. */
export const expiry = () => z.optional(z.nullable(z.int().check(z.minimum(1), z.maximum(EXPIRY_LIMIT_MS))));
const EXPIRY_LIMIT_MS = 2_592_000_000;

/** The state that a path names. @throws ApiError InvalidPayload */
export function stateOf({ type, id, name }: { type: string; id: string; name: string }) {
  if (!(STATE_TYPES as readonly string[]).includes(type)) {
    throw invalidPayload(`Must be one of ${STATE_TYPES.join(', ')}.`, 'type');
  }
  if (name === '' || name.length > STATE_NAME_LENGTH || !name.isWellFormed()) {
    throw invalidPayload(`Must be 1 to ${STATE_NAME_LENGTH} characters long.`, 'name');
  }
  return { type: type as (typeof STATE_TYPES)[number], id, name };
}
const STATE_NAME_LENGTH = 200;
