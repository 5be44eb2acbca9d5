/**
 * What each thing that people do asks of AWS, with all that follows from it. `test/budgets/figures.test.ts` measures
 * every figure here, and `test/budgets/units.test.ts` takes its budgets from here, so that a budget that changes
 * changes the price.
 */
import { CHECK_MS, PRESENCE_LOOKS, pauseAfter } from '#shared/domain/chat/listenPace.ts';

export interface Figure {
  /** Through an API Gateway, a bot's own included. */
  requests: number;
  /** Batches of the stream, when nothing else happens in the same second. */
  batches: number;
  /** Jobs of queues. */
  jobs: number;
  /** Calls of DynamoDB. */
  calls: number;
  readUnits: number;
  /** Write units that nothing shares. */
  ownWriteUnits: number;
  /** Of the counters of one conversation, once for all that is said in it in a second. */
  conversationWriteUnits: number;
  /** Of the counters of a bot and its workspace, once for all that happens in a second. */
  sharedWriteUnits: number;
  /** What stays in the table: items, and their entries in indexes. */
  bytes: number;
}

const NOTHING: Figure = {
  requests: 0,
  batches: 0,
  jobs: 0,
  calls: 0,
  readUnits: 0,
  ownWriteUnits: 0,
  conversationWriteUnits: 0,
  sharedWriteUnits: 0,
  bytes: 0,
};
const figure = (values: Partial<Figure>): Figure => ({ ...NOTHING, ...values });

export const FIGURES = {
  /** A user comes, and begins a conversation. */
  conversation: figure({ requests: 2, batches: 2, calls: 4, readUnits: 1, ownWriteUnits: 8, bytes: 3_300 }),
  /** A message that no endpoint is called for. */
  message: figure({
    requests: 1,
    batches: 3,
    calls: 5,
    readUnits: 4,
    ownWriteUnits: 1,
    conversationWriteUnits: 2,
    sharedWriteUnits: 4,
    bytes: 400,
  }),
  /** A user's message that is delivered to the bot, and the bot's answer. */
  answeredMessage: figure({
    requests: 2,
    batches: 6,
    jobs: 1,
    calls: 15,
    readUnits: 13,
    ownWriteUnits: 7.1,
    conversationWriteUnits: 4,
    sharedWriteUnits: 6,
    bytes: 1_700,
  }),
  /** A file that is not indexed. Its contents are in S3. */
  upload: figure({
    requests: 1,
    batches: 2,
    jobs: 1,
    calls: 9,
    readUnits: 7,
    ownWriteUnits: 9.2,
    sharedWriteUnits: 8,
    bytes: 2_700,
  }),
  /** A file of one page of text, three kilobytes, that is indexed. */
  indexedFile: figure({
    requests: 1,
    batches: 3,
    jobs: 2,
    calls: 30,
    readUnits: 18,
    ownWriteUnits: 233,
    sharedWriteUnits: 20,
    bytes: 57_000,
  }),
  /** Each further page of it. */
  indexedPage: figure({ calls: 6, readUnits: 1, ownWriteUnits: 130, bytes: 36_000 }),
  /** Twenty rows of 300 bytes in one call. */
  rowCall: figure({
    requests: 1,
    batches: 2,
    calls: 9,
    readUnits: 6,
    ownWriteUnits: 21,
    sharedWriteUnits: 12,
    bytes: 10_500,
  }),
  /** A page of messages. Pages of users, conversations or files take 26 units: each record is read. */
  page: figure({ requests: 1, calls: 2, readUnits: 3 }),
  /**
   * A search among a few hundred passages. It reads what the words of the query are in, and never more than a bound.
   */
  search: figure({ requests: 1, calls: 8, readUnits: 200 }),
} as const satisfies Record<string, Figure>;

export type Action = keyof typeof FIGURES;

const HOUR_MS = 3_600_000;
const HALF_UNIT = 0.5;

/** The read units of an hour of a conversation with one listener. @param quietMs since something was said */
export const listenedHour = (quietMs: number): number =>
  HALF_UNIT * ((HOUR_MS / pauseAfter(quietMs)) * (1 + 1 / PRESENCE_LOOKS) + HOUR_MS / CHECK_MS);

/** Assumed, not measured: what only the deployed platform would show. */
export const ASSUMED = {
  /** A call of DynamoDB from a function, with its share of CPU at 1 GB. */
  callMs: 5,
  /** The rest of a warm invocation, and its share of cold starts: one of a hundred, 300 ms. */
  invocationMs: 6,
  /** Reading, cutting and embedding a file; at 3 GB. */
  indexedFileMs: 1_500,
  indexedPageMs: 100,
  /** A line of a function, Lambda's own lines about the invocation, and one of the access log. */
  logBytesPerRequest: 1_100,
  logBytesPerInvocation: 700,
  bytesPerAnswer: 1_500,
  /** A page is about six passages, of 200 tokens each. */
  passagesPerPage: 6,
  tokensPerPassage: 200,
  /** A vector of 1,024 numbers, with its key and its metadata. */
  bytesPerVector: 4_500,
  /** Lambda asks each queue so often a minute while nothing is in it: five pollers, twenty seconds each. */
  pollsPerMinute: 15,
  /** Metrics that are written in a month in which people call. */
  metrics: 30,
  /** Of the hours in which somebody listens: something was said in the last five minutes. */
  livelyShare: 0.3,
  /** Hours of a day in which people do nearly everything. */
  busyHours: 10,
} as const;

/** Megabytes of the functions that work, that listen, that index; the stack's defaults. */
export const MEMORY = { operations: 1_024, listeners: 256, indexing: 3_008, code: 512 } as const;
