import * as z from 'zod/mini';
import { invalidPayload } from '#shared/core/errors.ts';

const KEY_LENGTH = 200;
const VALUE_BYTES = 1024 * 1024;

export function preferenceKeyOf(key: string): string {
  if (key.length > KEY_LENGTH || !key.isWellFormed())
    throw invalidPayload(`Must be at most ${KEY_LENGTH} characters.`, 'key');
  return key;
}

export const preferenceValue = () =>
  z.optional(
    z.any().check(
      z.refine(value => JSON.stringify(value ?? null).length <= VALUE_BYTES, {
        error: `Must have at most ${VALUE_BYTES} characters as JSON`,
      }),
    ),
  );
