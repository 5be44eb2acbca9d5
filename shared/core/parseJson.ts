import { ApiError } from './errors.ts';
import { isTooMuch, losesNames, scanJson } from './jsonScan.ts';

/**
 * Parses a request body within limits, and rejects values that JavaScript would change.
 * @throws ApiError InvalidPayload or PayloadTooLarge
 */
export async function parseJson(text: string): Promise<unknown> {
  const scan = scanJson(text, isTooMuch);
  let value: unknown;
  let syntaxError: unknown;
  if (!isTooMuch(scan)) {
    try {
      value = JSON.parse(text);
      if (!scan.isSuspect && !losesNames(value, scan)) return value;
    } catch (error) {
      syntaxError = error;
    }
  }
  const { findBodyFault } = await import('./bodyFault.ts');
  const fault = findBodyFault(text, scan, syntaxError);
  if (fault) throw new ApiError(fault.type, fault.message, fault);
  return value;
}
