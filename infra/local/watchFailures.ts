/** Formats failures of endpoints and deployed code in one line, with the first stack frame in the source. */

import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { readFileSync } from 'node:fs';
import { SourceMap, type SourceMapPayload } from 'node:module';
import { join } from 'node:path';
import { startOf } from '#shared/core/excerpt.ts';
import { CODE_FILE } from '#shared/outbound/code/host.ts';
import { type EndpointFailure, FAILURES } from '#shared/outbound/endpoints/endpointFailures.ts';

export function watchFailures(functionsDirectory: string, show: (line: string) => void): { stop(): Promise<void> } {
  const listener = (failure: unknown) => show(lineOf(failure as EndpointFailure, functionsDirectory));
  subscribe(FAILURES, listener);
  return { stop: async () => void unsubscribe(FAILURES, listener) };
}

const LINE_CHARACTERS = 1_000;

/** `! bot …  conversation …  event …  attempt 2  TypeError: …  at answer (src/index.ts:12:9)` */
function lineOf({ reason, functionName, ...ids }: EndpointFailure, functionsDirectory: string): string {
  const { botId, integrationId, conversationId, eventId, attempt } = ids;
  const [message = '', ...stack] = reason.split('\n');
  const frame = stack.find(line => /^\s+at /.test(line))?.trim();
  const parts = { bot: botId, integration: integrationId, conversation: conversationId, event: eventId, attempt };
  const named = Object.entries(parts).flatMap(([name, value]) => (value === undefined ? [] : [`${name} ${value}`]));
  const where = frame && functionName ? inSource(frame, join(functionsDirectory, functionName, CODE_FILE)) : frame;
  const line = [...named, message, ...(where ? [where] : [])].join('  ');
  // Error messages of bots may contain terminal escape sequences.
  return `! ${startOf(line.replace(/\p{Cc}/gu, ' '), LINE_CHARACTERS)}`;
}

const POSITION = new RegExp(`${CODE_FILE.replace('.', '\\.')}:(\\d+):(\\d+)`);

/** Maps a position in the bundle to the source if the bundle has an inline source map. */
function inSource(frame: string, codeFile: string): string {
  const [position, line, column] = POSITION.exec(frame) ?? [];
  const map = position && mapOf(codeFile);
  if (!map) return frame;
  const origin = map.findOrigin(Number(line), Number(column));
  return 'fileName' in origin
    ? frame.replace(position, `${origin.fileName}:${origin.lineNumber}:${origin.columnNumber}`)
    : frame;
}

const INLINE_MAP = /\/\/# sourceMappingURL=data:application\/json[^,]*;base64,([A-Za-z0-9+/=]+)\s*$/;

function mapOf(codeFile: string): SourceMap | undefined {
  try {
    const [, encoded] = INLINE_MAP.exec(readFileSync(codeFile, 'utf8')) ?? [];
    if (!encoded) return undefined;
    return new SourceMap(JSON.parse(Buffer.from(encoded, 'base64').toString()) as SourceMapPayload);
  } catch {
    return undefined;
  }
}
