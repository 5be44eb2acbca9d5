/** Formats failures of endpoints and deployed code in one line, with the first stack frame in the source. */

import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { startOf } from '#shared/core/excerpt.ts';
import { type EndpointFailure, FAILURES } from '#shared/outbound/endpoints/endpointFailures.ts';

export function watchFailures(show: (line: string) => void): { stop(): Promise<void> } {
  const listener = (failure: unknown) => show(lineOf(failure as EndpointFailure));
  subscribe(FAILURES, listener);
  return { stop: async () => void unsubscribe(FAILURES, listener) };
}

const LINE_CHARACTERS = 1_000;

/** `! bot …  conversation …  event …  attempt 2  TypeError: …  at answer (src/index.ts:12:9)` */
function lineOf({ reason, ...ids }: EndpointFailure): string {
  const { botId, integrationId, conversationId, eventId, attempt } = ids;
  const [message = '', ...stack] = reason.split('\n');
  const frame = stack.find(line => /^\s+at /.test(line))?.trim();
  const parts = { bot: botId, integration: integrationId, conversation: conversationId, event: eventId, attempt };
  const named = Object.entries(parts).flatMap(([name, value]) => (value === undefined ? [] : [`${name} ${value}`]));
  const line = [...named, message, ...(frame ? [frame] : [])].join('  ');
  // Error messages of bots may contain terminal escape sequences.
  return `! ${startOf(line.replace(/\p{Cc}/gu, ' '), LINE_CHARACTERS)}`;
}
