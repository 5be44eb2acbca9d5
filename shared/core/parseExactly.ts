import { FORBIDDEN_NAME, findJsonFault } from './jsonFault.ts';
import { type JsonScan, scanJson } from './jsonScan.ts';

/**
 * Parses JSON that callers get back (docs/api/conventions.md#json-values).
 * @throws SyntaxError
 * @throws JsonFault for numbers that a double cannot represent, repeated names and `__proto__`
 */
export function parseExactly(text: string, scan: JsonScan = scanJson(text)): unknown {
  const value: unknown = JSON.parse(text);
  if (scan.hasInexactNumber || keptMembers(value) !== scan.members) {
    const fault = findJsonFault(text);
    if (fault) throw fault;
  }
  return value;
}

/** Counts names. JSON.parse keeps the last of repeated ones. */
function keptMembers(value: unknown): number {
  let count = 0;
  const open = [value];
  const add = (each: unknown) => {
    if (typeof each === 'object' && each !== null) open.push(each);
  };
  while (open.length > 0) {
    const current = open.pop();
    if (Array.isArray(current)) current.forEach(add);
    else {
      for (const name in current as object) {
        if (name === FORBIDDEN_NAME) return Number.NaN;
        count++;
        add((current as Record<string, unknown>)[name]);
      }
    }
  }
  return count;
}

/** @returns undefined for text that {@link parseExactly} rejects */
export function tryParseExactly(text: string): unknown {
  try {
    return parseExactly(text);
  } catch {
    return undefined;
  }
}
