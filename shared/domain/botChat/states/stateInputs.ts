import * as z from 'zod/mini';
import { lengthWithAlias } from '#shared/api/platform/tagInputs.ts';
import { invalidPayload } from '#shared/core/errors.ts';
import { isInvisible } from '#shared/core/text.ts';
import { STATE_TYPES } from '#shared/storage/dynamodb/chat/states.ts';

const EXPIRY_LIMIT_MS = 2_592_000_000;
const STATE_NAME_LENGTH = 200;

/** Idle time in milliseconds after which a state expires; null for never (docs/api/botChat.md#states). */
export const expiry = () => z.optional(z.nullable(z.int().check(z.minimum(1), z.maximum(EXPIRY_LIMIT_MS))));

export interface StatePath {
  type: (typeof STATE_TYPES)[number];
  id: string;
  name: string;
}

export function parseStatePath({ type, id, name }: { type: string; id: string; name: string }): StatePath {
  if (!(STATE_TYPES as readonly string[]).includes(type)) {
    throw invalidPayload(`Must be one of ${STATE_TYPES.join(', ')}.`, 'type');
  }
  const most = lengthWithAlias(name, STATE_NAME_LENGTH);
  if (name === '' || name.length > most || !name.isWellFormed()) {
    throw invalidPayload(`Must be 1 to ${most} characters long.`, 'name');
  }
  if (isInvisible(name)) throw invalidPayload('Must contain a visible character.', 'name');
  return { type: type as StatePath['type'], id, name };
}
