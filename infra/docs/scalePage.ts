/** Generates `docs/scale.md`: the AWS limits that load reaches, in order, computed from measured figures. */
import { ASSUMED, FIGURES, listenedHour } from '#infra/operator/cost/figures.ts';
import { pricesOf } from '#infra/operator/cost/prices.ts';
import { OPEN_WORK_LIMITS } from '#shared/api/openWorkLimits.ts';
import { RATE_LIMITS } from '#shared/api/rateLimit.ts';
import { QUEUES } from '#shared/storage/queues/queueSettings.ts';
import { page, table } from './markdown.ts';

/** Must equal the default of `throttleRate` (`scalePage.test.ts`). */
export const CHAT_REQUESTS = 4_500;

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
const MIXED = ASSUMED.livelyShare * LIVELY + (1 - ASSUMED.livelyShare) * SILENT;
const LISTENERS_PER_ENVIRONMENT = 400;
const MANY = 1_000_000;
const STREAM_SECONDS = 15 * 60;

export function scalePage(): string {
  const prices = pricesOf('us-east-1');
  const hourOfFunctions = MANY * 0.25 * 3600 * prices.functionGbSecond;
  const hourOfReads = ((MANY * MIXED) / 1e6) * prices.readUnitMillion;
  const hourOfEnvironments = (MANY / LISTENERS_PER_ENVIRONMENT) * prices.managedHour;
  const secondsOfThousand = 1_000 * FUNCTION_SECONDS;
  return page(
    '# Scale',
    'The AWS limits in the order in which load reaches them. The page combines the [measured usage](cost.md#method) of a message and its reply with default quotas, and assumes that a bot takes a second per message. The figures are computed and have not been tested on AWS.',
    '## An installation',
    limitTable(LIMITS),
    '## A bot, a conversation',
    limitTable(OF_A_BOT),
    '## One message per second',
    `Only a new account reaches a limit: its ${LIMITS[0]!.limit} concurrent executions allow ${number(atMost(LIMITS[0]!))} messages per second, and each listener occupies one. DynamoDB uses ${number(WRITES)} of 4,000 write units.`,
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
    '## A million listeners',
    [
      `1. **As functions** (the default): each stream occupies one of the account's ${(1_000).toLocaleString('en')} executions. \`npm run deploy\` reserves 300, half for each of the two streaming operations. Without reservations (\`accountConcurrency=0\`), 1,000 is the maximum. By default a bot has up to ${OPEN_WORK_LIMITS.botStreams} streams (\`openWorkLimits\`). A million would cost $${number(hourOfFunctions)} per hour.`,
      `2. **On managed instances**: ${number(MANY / LISTENERS_PER_ENVIRONMENT)} environments with one vCPU, $${number(hourOfEnvironments)} per hour. The first limit is the EC2 quota for on-demand vCPUs: 64 of them serve ${number(64 * LISTENERS_PER_ENVIRONMENT)} listeners.`,
      `3. **Read units**: each process polls a conversation once for all its listeners, which takes ${number(LIVELY / 3600)} units per second while the conversation is active and ${number(SILENT / 3600)} when it is idle. 40,000 units per second allow ${number(40_000 / (LIVELY / 3600))} active conversations or ${number(40_000 / (SILENT / 3600))} idle ones. The reads of a million conversations, ${ASSUMED.livelyShare * 100} % active, cost $${number(hourOfReads)} per hour. Beyond that, push would have to replace polling.`,
      `4. API Gateway: streams end after 15 minutes, so a million streams make ${number(MANY / STREAM_SECONDS)} requests per second. The maximum number of open connections is not published.`,
    ].join('\n'),
    '## Growth with data',
    'Reading a page or a record costs the same at any number of records, as far as [measured](performance.md#growth). Items, partitions and indexes of DynamoDB are unlimited, and so is the data of a partition key, because no local index exists. Lists of a bot and rows of a table use up to 16 partitions. The design limits are in [compatibility](compatibility.md).',
  );
}
