/** Reads values of payloads, which bots and users send in any form. */

// biome-ignore lint/suspicious/noExplicitAny: bots and users send any payload
export type AnyPayload = Record<string, any>;

export const str = (value: unknown): string =>
  typeof value === 'string' ? value : value === undefined || value === null ? '' : JSON.stringify(value);
export const listOf = (value: unknown): AnyPayload[] =>
  (Array.isArray(value) ? value : []).map(each => (typeof each === 'object' && each !== null ? each : {}));
