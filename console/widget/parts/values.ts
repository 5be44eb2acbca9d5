/** Values out of payloads of any shape. */
import type { AnyPayload } from '../talk/contract.ts';

/** Lists of a message are shown up to here; what is left is counted. */
export const MOST_ITEMS = 50;
/** Longer texts are cut: no page shows a megabyte well. */
const LONGEST_TEXT = 50_000;

export function textOf(value: unknown): string {
  if (value === undefined || value === null) return '';
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  return text.length > LONGEST_TEXT ? `${text.slice(0, LONGEST_TEXT)} …` : text;
}

/** @returns the objects of a list, up to {@link MOST_ITEMS}, and how many more there are */
export function itemsOf(value: unknown): { items: Record<string, unknown>[]; left: number } {
  const all = Array.isArray(value)
    ? value.filter((each): each is Record<string, unknown> => typeof each === 'object' && each !== null)
    : [];
  return { items: all.slice(0, MOST_ITEMS), left: Math.max(0, all.length - MOST_ITEMS) };
}

/** An item of a bloc, whose content is beside its type or in its `payload`. */
export function payloadOf(item: Record<string, unknown>): AnyPayload {
  const { type, payload } = item;
  const content = typeof payload === 'object' && payload !== null ? payload : item;
  return { ...content, type: textOf(type) };
}
