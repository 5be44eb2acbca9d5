/** Generates `docs/scale.md`: the AWS limits that load reaches, in order, computed from measured figures. */
import { parseLoad } from '#infra/operator/cost/costLoad.ts';
import { estimate, totalOf } from '#infra/operator/cost/estimate.ts';
import { ASSUMED, FIGURES, listenedHour } from '#infra/operator/cost/figures.ts';
import { pricesOf } from '#infra/operator/cost/prices.ts';
import { OPEN_WORK_LIMITS } from '#shared/api/openWorkLimits.ts';
import { RATE_LIMITS } from '#shared/api/rateLimit.ts';
import { KEEP_ALIVE_MINUTES } from '#shared/api/socket/keepAlive.ts';
import { MAX_CONNECTION_MS } from '#shared/storage/dynamodb/connections/connections.ts';
import { PING_SECONDS } from '#shared/storage/dynamodb/connections/pingLoops.ts';
import { QUEUES } from '#shared/storage/queues/queueSettings.ts';
import { page, table } from './markdown.ts';

/** Must equal the default of `throttleRate` (`scalePage.test.ts`). */
export const CHAT_REQUESTS = 4_000;

const { answeredMessage, page: listPage } = FIGURES;

const BOT_SECONDS = 1;
const WORK_SECONDS =
  ((answeredMessage.requests + answeredMessage.batches + answeredMessage.jobs) * ASSUMED.invocationMs +
    answeredMessage.calls * ASSUMED.callMs) /
  1000;
/** Seconds of function time per message: the platform's, the waiting delivery's, and the bot's. */
const FUNCTION_SECONDS = WORK_SECONDS + 2 * BOT_SECONDS;
const WRITES = answeredMessage.ownWriteUnits + answeredMessage.conversationWriteUnits;
const READS = answeredMessage.readUnits + listPage.readUnits;
const REQUESTS = answeredMessage.requests + listPage.requests;

interface Limit {
  what: string;
  limit: number;
  unit: string;
  /** Usage by a message and its reply. */
  each: number;
  moves: string;
}

/** Default quotas of an AWS account. Service Quotas shows the actual values. */
const LIMITS: readonly Limit[] = [
  {
    what: 'Lambda, a new account',
    limit: 10,
    unit: 'concurrent executions',
    each: FUNCTION_SECONDS,
    moves: 'quota; raise it before going live',
  },
  {
    what: 'Lambda',
    limit: 1_000,
    unit: 'concurrent executions',
    each: FUNCTION_SECONDS,
    moves: 'quota, to tens of thousands',
  },
  {
    what: 'Queue of deliveries',
    limit: QUEUES.deliveries.maxConcurrency,
    unit: 'concurrent deliveries',
    each: BOT_SECONDS,
    moves: '`accountConcurrency`: a fifth of it, up to 1,000',
  },
  {
    what: 'DynamoDB, a new table',
    limit: 4_000,
    unit: 'write units per second',
    each: WRITES,
    moves: 'automatic within half an hour; warm throughput immediately',
  },
  { what: 'DynamoDB', limit: 40_000, unit: 'write units per second', each: WRITES, moves: 'quota of the table' },
  { what: 'DynamoDB', limit: 40_000, unit: 'read units per second', each: READS, moves: 'quota of the table' },
  {
    what: 'Chat API',
    limit: CHAT_REQUESTS,
    unit: 'requests per second',
    each: 2,
    moves: '`throttleRate`',
  },
  { what: 'API Gateway', limit: 10_000, unit: 'requests per second', each: REQUESTS, moves: 'quota of the account' },
];

const OF_A_BOT: readonly Limit[] = [
  {
    what: 'Slow calls of one bot that takes 5 s',
    limit: 50,
    unit: 'concurrent calls',
    each: 5,
    moves: '`slowCallsPerBot`, up to 1,000',
  },
  {
    what: 'Key of one bot',
    limit: RATE_LIMITS.token / 10,
    unit: 'calls per second',
    each: 1,
    moves: '`rateLimits`',
  },
  {
    what: 'Lists of one bot, before they are widened',
    limit: 1_000,
    unit: 'write units per second',
    each: 3,
    moves: 'automatic within two minutes, up to 16 times',
  },
  {
    what: 'One conversation',
    limit: 1,
    unit: 'concurrent delivery',
    each: BOT_SECONDS,
    moves: 'none: messages are delivered in order',
  },
];

const number = (value: number): string => value.toLocaleString('en', { maximumSignificantDigits: 2 });
const atMost = ({ limit, each }: Limit): number => limit / each;

const limitTable = (limits: readonly Limit[]): string =>
  table(
    ['Limit', 'Default', 'Per message', 'Reached at messages per second', 'Increase'],
    limits
      .toSorted((a, b) => atMost(a) - atMost(b))
      .map(each => [
        each.what,
        `${each.limit.toLocaleString('en')} ${each.unit}`,
        number(each.each),
        number(atMost(each)),
        each.moves,
      ]),
  );

const LIVELY = listenedHour(60_000);
const SILENT = listenedHour(600_000);
const MANY = 1_000_000;
/** Default quota of an account. */
const CONNECTS_PER_SECOND = 500;
const CONNECTION_SECONDS = MAX_CONNECTION_MS / 1000;
/** Must equal the default throttle of the WebSocket API (`scalePage.test.ts`). */
export const SOCKET_REQUESTS = 1_000;
const PUSH_SECONDS = 0.05;
const HOURS = 730;

export function scalePage(): string {
  const prices = pricesOf('us-east-1');
  const hourOfFunctions = MANY * 0.25 * 3600 * prices.functionGbSecond;
  const monthOf = (listeners: string) => totalOf(estimate(parseLoad({ listeners }), prices));
  const hourOfConnections = (monthOf(String(MANY)) - monthOf('0')) / HOURS;
  const secondsOfThousand = 1_000 * FUNCTION_SECONDS;
  return page(
    '# Scale',
    'The AWS limits in the order in which load reaches them. The page combines the [measured usage](cost.md#method) of a message and its reply with default quotas, and assumes that a bot takes a second per message. The figures are computed and have not been tested on AWS.',
    '## An installation',
    limitTable(LIMITS),
    '## A bot, a conversation',
    limitTable(OF_A_BOT),
    '## One message per second',
    `Only a new account reaches a limit: its ${LIMITS[0]!.limit} concurrent executions allow ${number(atMost(LIMITS[0]!))} messages per second, and each event stream (SSE) occupies one. DynamoDB uses ${number(WRITES)} of 4,000 write units.`,
    '## A thousand messages per second',
    [
      `1. **Deliveries** reach their limit first: ${QUEUES.deliveries.maxConcurrency} are concurrent. The rest are queued: no message is lost, replies are late, and the alarm \`queue-age\` fires. \`accountConcurrency\` raises the limit.`,
      `2. **Functions**: ${number(secondsOfThousand)} concurrent executions of 1,000. Raise the quota to 5,000. Each function scales by 1,000 executions in ten seconds, which suffices.`,
      `3. **DynamoDB**: ${number(1_000 * WRITES)} write units per second. A new table accepts 4,000 and adapts to a load that at most doubles within half an hour. Set warm throughput before a launch.`,
      '4. Stream consumers scale with shards, one per thousand write units, and process conversations of a batch concurrently. A single conversation is limited by its order.',
      `5. Logs: ${number((1_000 * 86_400 * (REQUESTS * ASSUMED.logBytesPerRequest + 7 * ASSUMED.logBytesPerInvocation)) / 1e9)} GB per day. \`requestLog=failures\` removes most of them.`,
    ].join('\n'),
    '## A hundred thousand messages per second',
    `One installation cannot process this. It would need ${number(100_000 * REQUESTS)} requests per second of an account's 10,000, ${number(100_000 * WRITES)} write units of a table's 40,000, and ${number(100_000 * FUNCTION_SECONDS)} concurrent executions. AWS raises quotas by a factor of ten, not by these. Use several installations, each with its own account and workspaces: fifty at 2,000 messages per second. A workspace cannot span two installations, and there is no routing between them: each has its own URLs.`,
    '## A million open chats',
    [
      `1. **Opening**: an account accepts 500 new connections per second, so a million take ${number(MANY / CONNECTS_PER_SECOND / 60)} minutes. Each connection is opened again every two hours: ${number(MANY / CONNECTION_SECONDS)} per second. API Gateway documents no limit of open connections besides these. AWS raises the quota.`,
      `2. **Keep-alive frames** of a million quiet chats are ${number(MANY / (KEEP_ALIVE_MINUTES * 60))} per second. They count against the throttle of the WebSocket API (${SOCKET_REQUESTS.toLocaleString('en')} per second) and against the quota of the account (10,000 per second), as frames to clients do. Raise both from ${number(SOCKET_REQUESTS * KEEP_ALIVE_MINUTES * 60)} open chats.`,
      `3. **Price**: $${number(hourOfConnections)} per hour for connections, keep-alive frames and their renewal. Clients of other vendors cost more: the server pings them every ${PING_SECONDS} seconds.`,
      `4. **Pushes**: ${QUEUES.pushes.maxConcurrency} concurrent jobs. A job of one connection takes about 50 ms, so they send ${number(QUEUES.pushes.maxConcurrency / PUSH_SECONDS)} signals per second, to up to 1,000 connections each.`,
      `5. **A conversation** has up to 1,000 connections, a user 20 of them.`,
      `6. **Event streams** (SSE) occupy a function each, $${number(hourOfFunctions)} per hour for a million, and poll the table: ${number(LIVELY / 3600)} read units per second while the conversation is active, ${number(SILENT / 3600)} when it is idle. \`npm run deploy\` reserves 5 % of the account's executions for each of the two streaming operations, and a bot has up to ${OPEN_WORK_LIMITS.botStreams} streams (\`openWorkLimits\`). Use them only where a client cannot open a WebSocket.`,
    ].join('\n'),
    '## Growth with data',
    'Reading a page or a record costs the same at any number of records, as far as [measured](performance.md#growth). Items, partitions and indexes of DynamoDB are unlimited, and so is the data of a partition key, because no local index exists. Lists of a bot and rows of a table use up to 16 partitions. The design limits are in [compatibility](compatibility.md).',
  );
}
