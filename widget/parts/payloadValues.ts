/** Reads values from untyped payloads. */
import type { AnyPayload } from '../talk/chatContract.ts';

/** Lists show this number of items and count the rest. */
export const MAX_ITEMS = 50;
/** Longer texts are truncated. */
const MAX_TEXT_LENGTH = 50_000;

export function textOf(value: unknown): string {
  if (value === undefined || value === null) return '';
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  return text.length > MAX_TEXT_LENGTH ? `${startOf(text, MAX_TEXT_LENGTH)} …` : text;
}

/** Never splits a surrogate pair. */
export function startOf(text: string, length: number): string {
  const start = text.slice(0, length);
  return /[\uD800-\uDBFF]$/.test(start) ? start.slice(0, -1) : start;
}

/** Returns up to {@link MAX_ITEMS} objects of a list and the number of remaining objects. */
export function itemsOf(value: unknown): { items: Record<string, unknown>[]; left: number } {
  const all = Array.isArray(value)
    ? value.filter((each): each is Record<string, unknown> => typeof each === 'object' && each !== null)
    : [];
  return { items: all.slice(0, MAX_ITEMS), left: Math.max(0, all.length - MAX_ITEMS) };
}

/** Returns the content of a bloc's item, which is beside its type or in its `payload`. */
export function payloadOf(item: Record<string, unknown>): AnyPayload {
  const { type, payload } = item;
  const content = typeof payload === 'object' && payload !== null ? payload : item;
  return { ...content, type: textOf(type) };
}
