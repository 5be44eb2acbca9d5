/** Log searches, as a CloudWatch Logs Insights query and as a filter of the local file's lines. */

export interface Search {
  error?: string | undefined;
  errors: boolean;
  /** Selects requests that the gateways rejected. */
  gateway: boolean;
  operation?: string | undefined;
  text?: string | undefined;
  slow: boolean;
  /** Counts lines by bot, operation and message, most frequent first. */
  top: boolean;
}

type Line = Record<string, unknown>;

interface Condition {
  insights: string;
  holds(line: Line, text: string): boolean;
}

/** Lambda's own lines, in both formats, about functions that crashed before they could log. */
const CRASH = /Task timed out|"status":"timeout"|Runtime\.\w+|Process exited/;

const quote = (text: string) => JSON.stringify(text);

function conditionsOf({ error, errors, gateway, operation, text, slow, top }: Search): Condition[] {
  const conditions: Condition[] = [];
  if (error !== undefined) {
    // Responses of the gateway itself carry the request id.
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

export function insightsQuery(search: Search, limit: number): string {
  const filters = conditionsOf(search).map(({ insights }) => `filter ${insights}`);
  const shape = search.top
    ? ['stats count(*) as lines by botId, operation, message', 'sort lines desc']
    : ['fields @timestamp, @message', `sort ${search.slow ? 'latencyMs' : '@timestamp'} desc`];
  return [...filters, ...shape, `limit ${limit}`].join(' | ');
}

/** Returns the lines of the local file that match, oldest first unless sorted by latency or count. */
export function searchLines(lines: readonly string[], search: Search, sinceMs: number, limit: number): string[] {
  const conditions = conditionsOf(search);
  const found = lines.flatMap(text => {
    const line = parse(text);
    const isRecent = Date.parse(String(line.timestamp)) >= sinceMs;
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

/** Parses a log line. Lines that are not JSON come from Node and have no fields. */
function parse(text: string): Line {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}

const UNITS = { m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Returns the milliseconds of `30m`, `6h` or `2d`, or undefined for other texts. */
export function parseSpan(text: string): number | undefined {
  const [, count, unit] = /^(\d{1,4})([mhd])$/.exec(text) ?? [];
  return count === undefined ? undefined : Number(count) * UNITS[unit as keyof typeof UNITS];
}
