/** Loaded only for a body that is rejected, or has a number that may be inexact. */
import type { ErrorType } from './errors.ts';
import { findJsonFault } from './jsonFault.ts';
import { placeOfFault } from './jsonPlace.ts';
import { DEPTH_LIMIT, isTooLong, type JsonScan, NUMBERS_LIMIT, VALUES_LIMIT } from './jsonScan.ts';

/** Data instead of an ApiError, because the file of this module has its own copy of that class. */
interface BodyFault {
  type: ErrorType;
  message: string;
  metadata?: Record<string, unknown>;
}

/** Errors quote only names of a body, because a value may be a secret. @param syntaxError of JSON.parse */
export function findBodyFault(text: string, scan: JsonScan, syntaxError: unknown): BodyFault | undefined {
  const invalid = (message: string): BodyFault => ({ type: 'InvalidPayload', message });
  if (scan.depth > DEPTH_LIMIT) return invalid(`The body is nested more than ${DEPTH_LIMIT} levels deep.`);
  if (isTooLong(scan)) return tooManyValues;
  if (syntaxError) return invalid(`The body is not valid JSON: see ${placeOfFault(text, syntaxError as Error)}.`);
  const fault = findJsonFault(text);
  if (!fault) return undefined;
  const { path, message } = fault;
  return { ...invalid(path ? `${path}: ${message}` : message), metadata: { issues: [fault] } };
}

const tooManyValues: BodyFault = {
  type: 'PayloadTooLarge',
  message: `The body has more than ${VALUES_LIMIT} JSON values or ${NUMBERS_LIMIT} numbers in arrays. Split it across several calls.`,
  metadata: { limitValues: VALUES_LIMIT },
};
