/**
 * Usage of AWS services per user action, including its consequences. `test/budgets/figures.test.ts` measures each
 * figure. The budgets of `test/budgets/units.test.ts` derive from them, so a changed budget changes the estimate.
 */
import { CHECK_MS, PRESENCE_POLLS, pauseAfter } from '#shared/domain/chat/listenPace.ts';

export interface Figure {
  /** Requests through an API Gateway, including the bot's own. */
  requests: number;
  /** Batches of the stream, without other traffic in the same second. */
  batches: number;
  jobs: number;
  calls: number;
  readUnits: number;
  ownWriteUnits: number;
  /** Write units of a conversation's counters, shared by all its messages in a second. */
  conversationWriteUnits: number;
  /** Write units of the counters of a bot and its workspace, shared by all events in a second. */
  sharedWriteUnits: number;
  /** Bytes stored in the table: items and their index entries. */
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
  /** A new user creates a conversation. */
  conversation: figure({ requests: 2, batches: 2, calls: 8, readUnits: 5, ownWriteUnits: 9, bytes: 3_600 }),
  /** A message that is not delivered to an endpoint. */
  message: figure({
    requests: 1,
    batches: 3,
    calls: 8,
    readUnits: 8,
    ownWriteUnits: 1,
    conversationWriteUnits: 2,
    sharedWriteUnits: 4,
    bytes: 400,
  }),
  /** A user's message that is delivered to the bot, and the bot's reply. */
  answeredMessage: figure({
    requests: 2,
    batches: 6,
    jobs: 1,
    calls: 20,
    readUnits: 18,
    ownWriteUnits: 7.1,
    conversationWriteUnits: 4,
    sharedWriteUnits: 6,
    bytes: 1_700,
  }),
  /** An unindexed file. Its content is in S3. */
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
  /** An indexed file with one page of text (3 KB). */
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
  indexedPage: figure({ calls: 6, readUnits: 1, ownWriteUnits: 130, bytes: 36_000 }),
  rowCall: figure({
    requests: 1,
    batches: 2,
    calls: 9,
    readUnits: 6,
    ownWriteUnits: 21,
    sharedWriteUnits: 12,
    bytes: 10_500,
  }),
  /** A page of messages. Pages of users, conversations or files take 26 read units, because each record is read. */
  page: figure({ requests: 1, calls: 2, readUnits: 4 }),
  /** A connection of Parley's own client that opens and closes, by one function each. */
  connection: figure({ jobs: 1, calls: 13, readUnits: 9, ownWriteUnits: 7 }),
  /** A message as above that one connection receives. */
  pushedMessage: figure({
    requests: 1,
    batches: 3,
    jobs: 1,
    calls: 10,
    readUnits: 10,
    ownWriteUnits: 1,
    conversationWriteUnits: 2,
    sharedWriteUnits: 4,
    bytes: 400,
  }),
  /** A pass of pings to one connection of another client, on average of a round. */
  pingPass: figure({ jobs: 1, calls: 2.2, readUnits: 1.2, ownWriteUnits: 0.1 }),
  /** A member renews their presence in the open conversation. */
  presence: figure({ requests: 1, batches: 1, calls: 8, readUnits: 8, ownWriteUnits: 1 }),
  /** A page that a visitor opens, without a member who watches the bot. */
  visit: figure({ requests: 1, batches: 1, calls: 4, readUnits: 3, ownWriteUnits: 1, bytes: 100 }),
  /** A search in a few hundred passages. It reads the passages that contain words of the query, up to a limit. */
  search: figure({ requests: 1, calls: 8, readUnits: 200 }),
} as const satisfies Record<string, Figure>;

export type Action = keyof typeof FIGURES;

const HOUR_MS = 3_600_000;
const HALF_UNIT = 0.5;

/** Read units per hour of a conversation with one event stream. @param quietMs time since the last message */
export const listenedHour = (quietMs: number): number =>
  HALF_UNIT * ((HOUR_MS / pauseAfter(quietMs)) * (1 + 1 / PRESENCE_POLLS) + HOUR_MS / CHECK_MS);

/** Assumptions that only a deployed platform can verify. */
export const ASSUMED = {
  /** A call to DynamoDB from a function with 1 GB. */
  callMs: 5,
  /** The rest of a warm invocation, and its share of cold starts (1 in 100, 300 ms each). */
  invocationMs: 6,
  /** Reading, splitting and storing a file with 3 GB. */
  indexedFileMs: 1_500,
  indexedPageMs: 100,
  logBytesPerRequest: 1_100,
  logBytesPerInvocation: 700,
  bytesPerAnswer: 1_500,
  /** A page has about six passages of 200 tokens. */
  passagesPerPage: 6,
  tokensPerPassage: 200,
  /** Embedding by the local model: `npm run bench -- embedder` measures 37 to 49 ms for 298 characters. */
  embeddedTokenMs: 0.5,
  /** A vector of 896 numbers with its key and metadata. */
  bytesPerVector: 4_000,
  /** Polls per minute of an idle queue: five pollers, 20 seconds each. */
  pollsPerMinute: 15,
  /** Share of listened hours with a message in the last five minutes. */
  livelyShare: 0.3,
  /** Hours of a day with nearly all traffic. */
  busyHours: 10,
} as const;

export const MEMORY = { operations: 1_024, listeners: 256, indexing: 3_008, code: 512 } as const;
