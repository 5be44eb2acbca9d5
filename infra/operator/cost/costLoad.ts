import { UsageError } from '#infra/operator/target/target.ts';

export interface Load {
  messages: number;
  conversations: number;
  /** Open chats. */
  listeners: number;
  /** Percentage of listeners with an event stream instead of a connection. */
  sse: number;
  /** Percentage of connections of other clients, which the server pings. */
  pinged: number;
  bots: number;
  /** Files uploaded in the month. Each is read once. */
  files: number;
  indexed: number;
  fileKb: number;
  pages: number;
  searches: number;
  rows: number;
  /** List pages that callers read. */
  reads: number;
  /** Members who have a conversation open in the inbox, eight hours on 22 days. */
  agents: number;
  /** Pages that visitors open during a chat. */
  visits: number;
  botMs: number;
  months: number;
  hasAlarms: boolean;
}

export const LOAD_OPTIONS = {
  messages: 'user messages per month, each with one reply',
  conversations: 'new users with a conversation; default: a tenth of the messages',
  listeners: 'open chats, on average',
  sse: 'percentage of open chats with an event stream instead of a WebSocket; default: 0',
  pinged: 'percentage of WebSockets of other clients than Parley, which are pinged; default: 0',
  bots: 'bots with deployed code; default: 1',
  files: 'uploads per month',
  indexed: 'indexed uploads; default: all',
  'file-kb': 'kilobytes per file; default: 100',
  pages: 'pages of text per indexed file; default: 10',
  searches: 'file searches; default: one per message if files are indexed',
  rows: 'table rows written per month, 20 per call',
  reads: 'list pages read; default: one per message',
  agents: 'members in the inbox, eight hours on 22 days; default: 0',
  visits: 'pages that visitors open during a chat; default: 0',
  'bot-ms': "milliseconds of a bot's code per message; default: 1000",
  months: 'months of stored data; default: 12',
} as const;
export type LoadOption = keyof typeof LOAD_OPTIONS;

const MAX_VALUE = 1e12;

export function parseLoad(
  given: Partial<Record<LoadOption, string>>,
  { hasAlarms = false }: Partial<Pick<Load, 'hasAlarms'>> = {},
): Load {
  const number = (name: LoadOption, fallback: number): number => {
    const { [name]: text } = given;
    if (text === undefined) return fallback;
    const value = Number(text);
    if (text.trim() === '' || !(value >= 0 && value <= MAX_VALUE))
      throw new UsageError(`--${name} must be a number from 0 to ${MAX_VALUE.toLocaleString('en')}, not "${text}".`);
    return value;
  };
  const percentage = (name: LoadOption): number => {
    const value = number(name, 0);
    if (value > 100) throw new UsageError(`--${name} must be a percentage from 0 to 100, not "${given[name]}".`);
    return value;
  };
  const messages = number('messages', 0);
  const files = number('files', 0);
  const indexed = Math.min(files, number('indexed', files));
  return {
    messages,
    conversations: number('conversations', Math.ceil(messages / 10)),
    listeners: number('listeners', 0),
    sse: percentage('sse'),
    pinged: percentage('pinged'),
    bots: number('bots', 1),
    files,
    indexed,
    fileKb: number('file-kb', 100),
    pages: number('pages', 10),
    searches: number('searches', indexed > 0 ? messages : 0),
    rows: number('rows', 0),
    reads: number('reads', messages),
    agents: number('agents', 0),
    visits: number('visits', 0),
    botMs: number('bot-ms', 1_000),
    months: number('months', 12),
    hasAlarms,
  };
}
