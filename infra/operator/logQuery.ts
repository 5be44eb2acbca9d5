/**
 * What an operator looks for in the log: as a query of CloudWatch Logs Insights, and as a test of a line of the local
 * file.
 */

export interface Search {
  /** The id of an error, as a caller quotes it. */
  error?: string | undefined;
  /** Only failures of the platform. */
  errors: boolean;
  /** What the gateways refused by themselves. */
  gateway: boolean;
  operation?: string | undefined;
  /** Part of the line. */
  text?: string | undefined;
  /** The slowest calls first. */
  slow: boolean;
  /** Who called what, the most frequent first. */
  top: boolean;
}

type Line = Record<string, unknown>;

interface Condition {
  insights: string;
  holds(line: Line, text: string): boolean;
}

/** Lambda's own lines, of a function that could not log any more. */
const CRASH = /Task timed out|Runtime\.\w+|Process exited/;

const quote = (text: string) => JSON.stringify(text);

function conditionsOf({ error, errors, gateway, operation, text, slow, top }: Search): Condition[] {
  const conditions: Condition[] = [];
  if (error !== undefined) {
    // The gateway's own refusals have the id of the request.
    const requestId = error.replace(/^err_/, '');
    conditions.push({
      insights: `errorId = ${quote(error)} or requestId = ${quote(requestId)}`,
      holds: line => line.errorId === error || line.requestId === requestId,
    });
  }
  if (errors)
    conditions.push({
      insights: `level = "ERROR" or @message like /${CRASH.source}/`,
      holds: ({ level }, whole) => level === 'ERROR' || CRASH.test(whole),
    });
  if (gateway)
    conditions.push({
      insights: 'ispresent(errorType) and errorType != "-"',
      holds: ({ errorType }) => errorType !== undefined && errorType !== '-',
    });
  if (operation !== undefined)
    conditions.push({ insights: `operation = ${quote(operation)}`, holds: line => line.operation === operation });
  if (text !== undefined)
    conditions.push({
      insights: `@message like ${quote(text)}`,
      holds: (_, whole) => whole.includes(text),
    });
  if (slow) conditions.push({ insights: 'ispresent(latencyMs)', holds: ({ latencyMs }) => latencyMs !== undefined });
  if (top) conditions.push({ insights: 'ispresent(operation)', holds: line => line.operation !== undefined });
  return conditions;
}

/** The query for CloudWatch Logs Insights. */
export function insightsQuery(search: Search, limit: number): string {
  const filters = conditionsOf(search).map(({ insights }) => `filter ${insights}`);
  const shape = search.top
    ? ['stats count(*) as lines by botId, operation, message', 'sort lines desc']
    : ['fields @timestamp, @message', `sort ${search.slow ? 'latencyMs' : '@timestamp'} desc`];
  return [...filters, ...shape, `limit ${limit}`].join(' | ');
}

/** The same in lines of the local file, oldest first. @returns lines to print */
export function searchLines(lines: readonly string[], search: Search, sinceMs: number, limit: number): string[] {
  const conditions = conditionsOf(search);
  const found = lines.flatMap(text => {
    const line = parse(text);
    const isRecent = Date.parse(String(line.time)) >= sinceMs;
    return isRecent && conditions.every(({ holds }) => holds(line, text)) ? [{ line, text }] : [];
  });
  if (search.top) {
    const groups = Map.groupBy(found, ({ line }) => JSON.stringify([line.botId, line.operation, line.message]));
    const counted = [...groups].map(([name, { length }]) => ({ name, length })).sort((a, b) => b.length - a.length);
    return counted.slice(0, limit).map(({ name, length }) => [length, ...JSON.parse(name)].join('\t'));
  }
  if (search.slow) found.sort((a, b) => Number(b.line.latencyMs) - Number(a.line.latencyMs));
  return (search.slow ? found.slice(0, limit) : found.slice(-limit)).map(({ text }) => text);
}

/** Lines that are not JSON are Node's, and have no fields. */
function parse(text: string): Line {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}

const UNITS = { m: 60_000, h: 3_600_000, d: 86_400_000 };

/** @returns milliseconds of `30m`, `6h` or `2d`; undefined for anything else */
export function parseSpan(text: string): number | undefined {
  const [, count, unit] = /^(\d{1,4})([mhd])$/.exec(text) ?? [];
  return count === undefined ? undefined : Number(count) * UNITS[unit as keyof typeof UNITS];
}
