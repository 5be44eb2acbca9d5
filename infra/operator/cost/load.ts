import { UsageError } from '#infra/operator/target.ts';

export interface Load {
  messages: number;
  conversations: number;
  listeners: number;
  listening: 'functions' | 'managed';
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
  botMs: number;
  months: number;
  hasAlarms: boolean;
}

export const LOAD_OPTIONS = {
  messages: 'messages of users a month, each answered once',
  conversations: 'new users with a conversation; a tenth of the messages',
  listeners: 'open streams, on average',
  bots: 'bots with code of their own; 1',
  files: 'uploads a month',
  indexed: 'of these, indexed; all',
  'file-kb': 'kilobytes of a file; 100',
  pages: 'pages of text of an indexed file; 10',
  searches: 'searches of files; one for each message where files are indexed',
  rows: 'rows of tables written a month, 20 a call',
  reads: 'pages of lists read; one for each message',
  'bot-ms': 'milliseconds that a bot works on a message; 1000',
  months: 'months of data that are kept; 12',
} as const;
export type LoadOption = keyof typeof LOAD_OPTIONS;

const MOST = 1e12;

export function parseLoad(
  given: Partial<Record<LoadOption, string>>,
  { listening = 'functions', hasAlarms = false }: Partial<Pick<Load, 'listening' | 'hasAlarms'>> = {},
): Load {
  const number = (name: LoadOption, fallback: number): number => {
    const { [name]: text } = given;
    if (text === undefined) return fallback;
    const value = Number(text);
    if (text.trim() === '' || !(value >= 0 && value <= MOST))
      throw new UsageError(`--${name} must be a number from 0 to ${MOST.toLocaleString('en')}, not "${text}".`);
    return value;
  };
  const messages = number('messages', 0);
  const files = number('files', 0);
  const indexed = Math.min(files, number('indexed', files));
  return {
    messages,
    conversations: number('conversations', Math.ceil(messages / 10)),
    listeners: number('listeners', 0),
    listening,
    bots: number('bots', 1),
    files,
    indexed,
    fileKb: number('file-kb', 100),
    pages: number('pages', 10),
    searches: number('searches', indexed > 0 ? messages : 0),
    rows: number('rows', 0),
    reads: number('reads', messages),
    botMs: number('bot-ms', 1_000),
    months: number('months', 12),
    hasAlarms,
  };
}
