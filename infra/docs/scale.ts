/** The page `docs/scale.md`: which limit of AWS is met first, at how much, computed from the measured figures. */
import { ASSUMED, FIGURES, listenedHour } from '#infra/operator/cost/figures.ts';
import { pricesOf } from '#infra/operator/cost/prices.ts';
import { OPEN_WORK_LIMITS } from '#shared/api/openWorkLimits.ts';
import { RATE_LIMITS } from '#shared/api/rateLimit.ts';
import { QUEUES } from '#shared/storage/queues/settings.ts';
import { page, table } from './markdown.ts';

/** The default of `throttleRate`, which `test/infra/docs/scale.test.ts` compares. */
export const CHAT_REQUESTS = 4_500;

const { answeredMessage, page: listPage } = FIGURES;

/** Seconds that a bot works on a message. */
const BOT_SECONDS = 1;
const WORK_SECONDS =
  ((answeredMessage.requests + answeredMessage.batches + answeredMessage.jobs) * ASSUMED.invocationMs +
    answeredMessage.calls * ASSUMED.callMs) /
  1000;
/** Functions that a message keeps busy, times seconds: the platform's, the delivery that waits, and the bot's. */
const FUNCTION_SECONDS = WORK_SECONDS + 2 * BOT_SECONDS;
const WRITES = answeredMessage.ownWriteUnits + answeredMessage.conversationWriteUnits;
const READS = answeredMessage.readUnits + listPage.readUnits;
const REQUESTS = answeredMessage.requests + listPage.requests;

interface Limit {
  what: string;
  limit: number;
  unit: string;
  /** That a message and its answer take of it. */
  each: number;
  moves: string;
}

/** Quotas of AWS are the usual ones of an account; Service Quotas shows those that hold. */
const LIMITS: readonly Limit[] = [
  {
    what: 'Lambda, a new account',
    limit: 10,
    unit: 'functions at a time',
    each: FUNCTION_SECONDS,
    moves: 'a quota; raise it before going live',
  },
  {
    what: 'Lambda',
    limit: 1_000,
    unit: 'functions at a time',
    each: FUNCTION_SECONDS,
    moves: 'a quota, up to tens of thousands',
  },
  {
    what: 'Queue of deliveries',
    limit: QUEUES.deliveries.maxConcurrency,
    unit: 'deliveries at a time',
    each: BOT_SECONDS,
    moves: '`accountConcurrency`: a fifth of it, up to 1,000',
  },
  {
    what: 'DynamoDB, a new table',
    limit: 4_000,
    unit: 'write units a second',
    each: WRITES,
    moves: 'automatic, within half an hour; warm throughput immediately',
  },
  { what: 'DynamoDB', limit: 40_000, unit: 'write units a second', each: WRITES, moves: 'quota of the table' },
  { what: 'DynamoDB', limit: 40_000, unit: 'read units a second', each: READS, moves: 'quota of the table' },
  {
    what: 'Chat API',
    limit: CHAT_REQUESTS,
    unit: 'requests a second',
    each: 2,
    moves: '`throttleRate`',
  },
  { what: 'API Gateway', limit: 10_000, unit: 'requests a second', each: REQUESTS, moves: 'quota of the account' },
];

const OF_A_BOT: readonly Limit[] = [
  {
    what: 'Slow calls of one bot that takes 5 s per message',
    limit: 50,
    unit: 'calls at a time',
    each: 5,
    moves: '`slowCallsPerBot`, up to 1,000',
  },
  {
    what: 'Key of one bot',
    limit: RATE_LIMITS.token / 10,
    unit: 'calls a second',
    each: 1,
    moves: '`rateLimits`',
  },
  {
    what: 'Lists of one bot, before they are widened',
    limit: 1_000,
    unit: 'write units a second',
    each: 3,
    moves: 'automatic, within two minutes, to 16 times as much',
  },
  {
    what: 'One conversation',
    limit: 1,
    unit: 'delivery at a time',
    each: BOT_SECONDS,
    moves: 'fixed: a bot receives the messages of a conversation in order',
  },
];

const number = (value: number): string => value.toLocaleString('en', { maximumSignificantDigits: 2 });
const atMost = ({ limit, each }: Limit): number => limit / each;

const limitTable = (limits: readonly Limit[]): string =>
  table(
    ['Limit', 'Default', 'Per message', 'Reached at, messages a second', 'How to raise it'],
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
    'This page lists the AWS limits in the order in which an installation reaches them, and how to raise each. The usage of one message and its reply is [measured](cost.md#assumptions). Nothing on this page was run on AWS: the figures are computed from measured usage, default quotas, and a bot that takes one second per message.',
    '## An installation',
    limitTable(LIMITS),
    '## A bot, a conversation',
    limitTable(OF_A_BOT),
    '## One message a second',
    `Only a new account reaches a limit: its ${LIMITS[0]!.limit} concurrent functions serve ${number(atMost(LIMITS[0]!))} messages a second, and each listener occupies one of them. DynamoDB uses ${number(WRITES)} of 4,000 write units.`,
    '## A thousand a second',
    [
      `1. **Deliveries** reach their limit first, with ${QUEUES.deliveries.maxConcurrency} at a time. The others wait in the queue: nothing is lost, replies are late, and the alarm \`queue-age\` fires. Raise \`accountConcurrency\`.`,
      `2. **Functions**: ${number(secondsOfThousand)} at a time, of 1,000. Request a quota of 5,000. Each function scales by 1,000 in ten seconds, which is sufficient here.`,
      `3. **DynamoDB**: ${number(1_000 * WRITES)} write units a second. A new table takes 4,000 and adapts to a load that at most doubles in half an hour. Set warm throughput before a launch.`,
      '4. **Consumers** of the stream scale with its shards, one per thousand write units. Shards are processed concurrently, and so are the conversations in a batch. A single conversation is limited by its order.',
      `5. **Logs**: ${number((1_000 * 86_400 * (REQUESTS * ASSUMED.logBytesPerRequest + 7 * ASSUMED.logBytesPerInvocation)) / 1e9)} GB a day. \`requestLog=failures\` omits most of it.`,
    ].join('\n'),
    '## A hundred thousand a second',
    `One installation cannot serve this load. It would need ${number(100_000 * REQUESTS)} requests a second of an account's 10,000, ${number(100_000 * WRITES)} write units of a table's 40,000, and ${number(100_000 * FUNCTION_SECONDS)} concurrent functions. AWS raises quotas by single factors of ten, not by these factors. Deploy several installations instead, each in its own account with its own workspaces: fifty of them at 2,000 messages a second each. A workspace cannot span two installations. Nothing routes between them: each has its own addresses.`,
    '## A million listeners',
    [
      `1. **As functions** (the default): each listener uses one of the account's ${(1_000).toLocaleString('en')} concurrent executions. \`npm run deploy\` reserves 300 of them, half for each of the two streaming operations. Without reservations (\`accountConcurrency=0\`), the limit is 1,000. By default, a bot has up to ${OPEN_WORK_LIMITS.botStreams} (\`openWorkLimits\`). A million listeners would cost $${number(hourOfFunctions)} an hour.`,
      `2. **On managed instances**: ${number(MANY / LISTENERS_PER_ENVIRONMENT)} environments of one vCPU, $${number(hourOfEnvironments)} an hour. The first limit is the EC2 quota of on-demand vCPUs: 64 of them serve ${number(64 * LISTENERS_PER_ENVIRONMENT)} listeners.`,
      `3. **Read units**: a conversation with listeners is polled. It uses ${number(LIVELY / 3600)} units a second while active and ${number(SILENT / 3600)} while silent, for any number of listeners in one process. 40,000 units a second serve ${number(40_000 / (LIVELY / 3600))} active conversations or ${number(40_000 / (SILENT / 3600))} silent ones. A million conversations of which ${ASSUMED.livelyShare * 100} % are active cost $${number(hourOfReads)} an hour in reads alone. Polling does not scale beyond this point, and push notifications would have to replace it.`,
      `4. **API Gateway**: streams end after 15 minutes, so a million streams cause ${number(MANY / STREAM_SECONDS)} requests a second. AWS does not publish the maximum number of open streams.`,
    ].join('\n'),
    '## Data volume',
    'Reading a page or a record costs the same at any [measured](performance.md#growth) number of records. DynamoDB does not limit the number of items, partitions and indexed items. A partition key holds any amount of data, because the table has no local secondary index. Lists of a bot use at most 16 partitions, and so do the rows of a table. [Compatibility](compatibility.md) lists the limits by design.',
  );
}
