/** Loaded only for a body with a fault, or with a number that may have one. */
import { faultOfNumber } from './exactNumber.ts';
import { endOfNumber, endOfString, FORBIDDEN_NAME_FAULT } from './jsonScan.ts';

/** Valid JSON that JavaScript would change. The message names the fix. */
export interface JsonFault {
  path: string;
  message: string;
}

interface Container {
  /** Undefined for an array. */
  names: Set<string> | undefined;
  /** The name or index of the current value. */
  at: string | number | undefined;
}

/** Returns the first fault of valid JSON. */
export function findJsonFault(text: string): JsonFault | undefined {
  const open: Container[] = [];
  const failedWith = (message: string) => ({ path: open.map(({ at }) => at).join('.'), message });
  for (let i = 0; i < text.length; i++) {
    const current = open.at(-1);
    switch (text[i]) {
      case '{':
        open.push({ names: new Set(), at: undefined });
        break;
      case '[':
        open.push({ names: undefined, at: 0 });
        break;
      case '}':
      case ']':
        open.pop();
        break;
      case ',':
        current!.at = typeof current!.at === 'number' ? current!.at + 1 : undefined;
        break;
      case '"': {
        const end = endOfString(text, i);
        if (current && current.at === undefined) {
          current.at = JSON.parse(text.slice(i, end + 1)) as string;
          const fault = faultOfName(current.at, current.names!);
          if (fault) return failedWith(fault);
          current.names!.add(current.at);
        }
        i = end;
        break;
      }
      case '-':
      case '0':
      case '1':
      case '2':
      case '3':
      case '4':
      case '5':
      case '6':
      case '7':
      case '8':
      case '9': {
        const number = { isSuspect: false };
        const end = endOfNumber(text, i, number);
        const fault = number.isSuspect ? faultOfNumber(text.slice(i, end + 1)) : undefined;
        if (fault) return failedWith(`The number ${fault}. Send it as a string.`);
        i = end;
      }
    }
  }
  return undefined;
}

function faultOfName(name: string, names: ReadonlySet<string>): string | undefined {
  if (name === '__proto__') return FORBIDDEN_NAME_FAULT;
  return names.has(name) ? 'An object cannot have this name twice. Send it once.' : undefined;
}
