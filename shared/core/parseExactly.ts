import { findJsonFault, type JsonFault } from './jsonFault.ts';
import { losesNames, scanJson } from './jsonScan.ts';

export class InexactJsonError extends Error {
  override readonly name = 'InexactJsonError';
  readonly path: string;

  constructor({ path, message }: JsonFault) {
    super(message);
    this.path = path;
  }
}

/**
 * Parses JSON that callers get back (docs/api/conventions.md#json-values). Bodies are parsed by `parseJson.ts`.
 * @throws SyntaxError
 * @throws InexactJsonError for numbers that a double cannot represent, repeated names and `__proto__`
 */
export function parseExactly(text: string): unknown {
  const value: unknown = JSON.parse(text);
  const scan = scanJson(text);
  const fault = scan.isSuspect || losesNames(value, scan) ? findJsonFault(text) : undefined;
  if (fault) throw new InexactJsonError(fault);
  return value;
}

/** @returns undefined for text that {@link parseExactly} rejects */
export function tryParseExactly(text: string): unknown {
  try {
    return parseExactly(text);
  } catch {
    return undefined;
  }
}
