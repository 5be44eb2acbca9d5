/** Deployed code controls the process that responds, so the caller validates and bounds each response. */

import * as z from 'zod/mini';
import { startOf } from '#shared/core/excerpt.ts';

export interface CodeRequest {
  method: string;
  path: string;
  query: string;
  headers: Record<string, string>;
  body: string;
}

export const LINE_LEVELS = ['debug', 'info', 'warn', 'error'] as const;

export interface PrintedLine {
  level: (typeof LINE_LEVELS)[number];
  text: string;
  atMs: number;
}

export interface CodeResponse {
  response?: { status?: number; headers?: Record<string, string>; body?: string };
  error?: string;
  printed: readonly { level: PrintedLine['level']; text: string; agoMs: number }[];
  dropped: number;
}

export const PRINTED_LINES = 100;
export const LINE_CHARACTERS = 4_000;

const BODY_BYTES = 4 * 1024 * 1024;
const HEADER_BYTES = 16 * 1024;
const DROPPED_MOST = 1_000_000_000;

const HeaderName = z.string().check(z.regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/));
/** Node.js rejects any other character when it writes the header. */
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;
const HeaderValue = z.pipe(
  z.pipe(
    z.union([z.string(), z.number(), z.boolean(), z.array(z.string())]),
    z.transform(value => String(value)),
  ),
  z.string().check(z.regex(HEADER_VALUE)),
);

const bytesOf = (text: string) => Buffer.byteLength(text);

/** DynamoDB rejects lone surrogates. */
const WellFormed = z.pipe(
  z.string(),
  z.transform(text => text.toWellFormed()),
);

const Response = z.object({
  status: z._default(z.int().check(z.gte(200), z.lte(599)), 200),
  headers: z._default(
    z
      .record(HeaderName, HeaderValue)
      .check(
        z.refine(
          headers => Object.entries(headers).reduce((sum, [n, value]) => sum + bytesOf(n + value), 0) <= HEADER_BYTES,
        ),
      ),
    {},
  ),
  body: z._default(WellFormed.check(z.refine(body => bytesOf(body) <= BODY_BYTES)), ''),
});
type Response = z.infer<typeof Response>;

const FIXES: Record<string, string> = {
  status: 'status must be an integer from 200 to 599',
  headers: 'headers must be an object of names and values that HTTP allows, of at most 16 KB',
  body: 'body must be a string of at most 4 MB',
};

const excerpt = (text: string) => startOf(text, LINE_CHARACTERS);

const Line = z.object({ level: z.enum(LINE_LEVELS), text: z.string(), agoMs: z.number() });
const Answer = z.object({
  response: z.optional(z.unknown()),
  error: z.optional(z.string()),
  printed: z.catch(z.array(z.unknown()), []),
  dropped: z.catch(z.int().check(z.gte(0), z.lte(DROPPED_MOST)), 0),
});

export interface ParsedResponse {
  outcome: { response: Response } | { error: string; isInvalid: boolean };
  printed: PrintedLine[];
  dropped: number;
}

/** Line times use the caller's clock and are bounded by the call. @param payload undefined if it was not JSON */
export function parseAnswer(payload: unknown, { startMs, endMs }: { startMs: number; endMs: number }): ParsedResponse {
  const answer = Answer.safeParse(payload);
  if (!answer.success) {
    return { outcome: invalid('it must come from the handler'), printed: [], dropped: 0 };
  }
  const { response, error, printed: given, dropped } = answer.data;
  const lines = given.slice(0, PRINTED_LINES).map(line => Line.safeParse(line));
  const valid = lines.flatMap(({ data }) => (data ? [data] : []));
  let lastMs = startMs;
  const printed = valid.map(({ level, text, agoMs }) => {
    lastMs = Math.min(Math.max(Math.floor(endMs - agoMs), lastMs), endMs);
    return { level, text: excerpt(text), atMs: lastMs };
  });
  return { outcome: outcomeOf(response, error), printed, dropped: dropped + given.length - valid.length };
}

function outcomeOf(response: unknown, error: string | undefined): ParsedResponse['outcome'] {
  if (error !== undefined) return { error: excerpt(error), isInvalid: false };
  if (response === undefined) return { error: 'The code returned no response', isInvalid: false };
  const parsed = Response.safeParse(response);
  if (parsed.success) return { response: parsed.data };
  const field = String(parsed.error.issues[0]?.path[0]);
  return invalid(Object.hasOwn(FIXES, field) ? FIXES[field]! : 'it must be an object');
}

const invalid = (fix: string) => ({ error: `The code returned an invalid response: ${fix}`, isInvalid: true });
