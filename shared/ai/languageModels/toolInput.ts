import { parseJson } from '#shared/ai/postJson.ts';

/** The input of a tool's call as JSON; models write nothing for none. @returns undefined when it is no object */
function parseToolInput(text: string): Record<string, unknown> | undefined {
  const value = text.trim() === '' ? {} : parseJson(text);
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : undefined;
}

/** Sorts the calls of an answer into those that can be made and the names of the others. */
export function sortToolCalls(calls: readonly { id: string; name: string; text: string }[]) {
  const parsed = calls.map(({ id, name, text }) => ({ id, name, input: parseToolInput(text) }));
  return {
    toolCalls: parsed.flatMap(({ id, name, input }) => (input ? [{ id, name, input }] : [])),
    brokenCalls: parsed.flatMap(({ name, input }) => (input ? [] : [name])),
  };
}
