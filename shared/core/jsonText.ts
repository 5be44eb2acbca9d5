import { ApiError, invalidPayload } from './errors.ts';
import { JsonFault } from './jsonFault.ts';
import { placeOfFault } from './jsonPlace.ts';
import { scanJson } from './jsonScan.ts';
import { parseExactly } from './parseExactly.ts';

/** Deeper JSON would overflow the stack of code that walks it. */
const DEPTH_LIMIT = 500;

/** `[[],[],…]` takes two to three bytes per value as text and fifty in memory. */
const VALUES_LIMIT = 1_000_000;

/**
 * Parses a request body within limits. Errors quote only names of it, because a value may be a secret.
 * @throws ApiError InvalidPayload or PayloadTooLarge
 */
export function parseJson(text: string): unknown {
  const scan = scanJson(text, ({ depth, values }) => depth > DEPTH_LIMIT || values > VALUES_LIMIT);
  if (scan.depth > DEPTH_LIMIT) throw invalidPayload(`The body is nested more than ${DEPTH_LIMIT} levels deep.`);
  if (scan.values > VALUES_LIMIT) throw tooManyValues();
  try {
    return parseExactly(text, scan);
  } catch (error) {
    if (error instanceof JsonFault) throw invalidValue(error);
    throw invalidPayload(`The body is not valid JSON: see ${placeOfFault(text, error as Error)}.`);
  }
}

/** @returns undefined for text that {@link parseJson} rejects, and for another value than an object */
export function objectIn(text: string): Record<string, unknown> | undefined {
  try {
    const value = parseJson(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const tooManyValues = () =>
  new ApiError(
    'PayloadTooLarge',
    `The body has more than ${VALUES_LIMIT} JSON values. Split it across several calls.`,
    {
      metadata: { limitValues: VALUES_LIMIT },
    },
  );

export function invalidValue({ path: within, message }: JsonFault, root?: string): ApiError {
  const path = [root, within].filter(Boolean).join('.');
  const issues = [{ path, message }];
  return new ApiError('InvalidPayload', path ? `${path}: ${message}` : message, { metadata: { issues } });
}
