import { tryParseExactly } from '#shared/core/parseExactly.ts';

function parseToolInput(text: string): Record<string, unknown> | undefined {
  const value = text.trim() === '' ? {} : tryParseExactly(text);
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : undefined;
}

export function sortToolCalls(calls: readonly { id: string; name: string; text: string }[]) {
  const parsed = calls.map(({ id, name, text }) => ({ id, name, input: parseToolInput(text) }));
  return {
    toolCalls: parsed.flatMap(({ id, name, input }) => (input ? [{ id, name, input }] : [])),
    brokenCalls: parsed.flatMap(({ name, input }) => (input ? [] : [name])),
  };
}
