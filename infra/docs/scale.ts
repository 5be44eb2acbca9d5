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
    moves: 'quota; raise it before going live',
  },
  {
    what: 'Lambda',
    limit: 1_000,
    unit: 'functions at a time',
    each: FUNCTION_SECONDS,
    moves: 'quota, to tens of thousands',
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
    moves: 'by itself, within half an hour; warm throughput at once',
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
    what: 'Slow calls of one bot that works for 5 s',
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
    moves: 'by itself, in two minutes, to 16 times as much',
  },
  {
    what: 'One conversation',
    limit: 1,
    unit: 'delivery at a time',
    each: BOT_SECONDS,
    moves: 'nothing: a bot gets what is said in order',
  },
];

const number = (value: number): string => value.toLocaleString('en', { maximumSignificantDigits: 2 });
const atMost = ({ limit, each }: Limit): number => limit / each;

const limitTable = (limits: readonly Limit[]): string =>
  table(
    ['Limit', 'Usually', 'A message takes', 'Met at, messages a second', 'What moves it'],
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
    'Which limit of AWS is met first, by what one message and its answer ask for when measured ([figures](cost.md#what-it-is-computed-from)), and what moves it. Nothing on this page was run on AWS: it is arithmetic on measured units, usual quotas, and a bot that works for a second on each message.',
    '## An installation',
    limitTable(LIMITS),
    '## A bot, a conversation',
    limitTable(OF_A_BOT),
    '## One message a second',
    `Nothing is met but in a new account, whose ${LIMITS[0]!.limit} functions at a time end at ${number(atMost(LIMITS[0]!))} messages a second, and take each listener as one more. DynamoDB has ${number(WRITES)} write units to do of 4,000.`,
    '## A thousand a second',
    [
      `1. **Deliveries** first: ${QUEUES.deliveries.maxConcurrency} at a time. What is more waits in its queue; nothing is lost, answers come late, and the alarm \`queue-age\` says so. \`accountConcurrency\` raises it.`,
      `2. **Functions**: ${number(secondsOfThousand)} at a time, of 1,000. Have the quota raised to 5,000. Each function grows by 1,000 in ten seconds, which is no limit here.`,
      `3. **DynamoDB**: ${number(1_000 * WRITES)} write units a second. A new table takes 4,000 and follows a load that at most doubles in half an hour; give it warm throughput before a launch.`,
      '4. Consumers of the stream keep up by shards: one for each thousand write units, read beside each other, and in a batch conversations run beside each other. A single conversation is bounded by its order.',
      `5. Logs: ${number((1_000 * 86_400 * (REQUESTS * ASSUMED.logBytesPerRequest + 7 * ASSUMED.logBytesPerInvocation)) / 1e9)} GB a day; \`requestLog=failures\` leaves out most.`,
    ].join('\n'),
    '## A hundred thousand a second',
    `One installation does not do this. It would take ${number(100_000 * REQUESTS)} requests a second of an account's 10,000, ${number(100_000 * WRITES)} write units of a table's 40,000, and ${number(100_000 * FUNCTION_SECONDS)} functions at a time. Quotas are raised by single factors of ten, not by these. The way is several installations, each with its own account and the workspaces that were made in it: at 2,000 messages a second each, fifty of them. A workspace cannot span two, and nothing routes between them yet: each has its own addresses.`,
    '## A million listeners',
    [
      `1. **As functions** (the default): each is one of the account's ${(1_000).toLocaleString('en')}, of which \`npm run deploy\` reserves 300, half of them for each of the two operations that stream; without reservations (\`accountConcurrency=0\`) 1,000 are the end. By default a bot has up to ${OPEN_WORK_LIMITS.botStreams} (\`openWorkLimits\`). A million would cost $${number(hourOfFunctions)} an hour.`,
      `2. **On managed instances**: ${number(MANY / LISTENERS_PER_ENVIRONMENT)} environments of a vCPU, $${number(hourOfEnvironments)} an hour. The first limit is the quota of EC2 for vCPUs on demand: with 64 of them, ${number(64 * LISTENERS_PER_ENVIRONMENT)} listeners.`,
      `3. **Read units**: a conversation with listeners is looked at, so it takes ${number(LIVELY / 3600)} units a second while it is lively and ${number(SILENT / 3600)} when silent, however many listen in one process. 40,000 a second are ${number(40_000 / (LIVELY / 3600))} lively conversations or ${number(40_000 / (SILENT / 3600))} silent ones. A million conversations of which ${ASSUMED.livelyShare * 100} % are lively cost $${number(hourOfReads)} an hour in reads alone: the design that looks ends here, and one that is told would have to replace it.`,
      `4. API Gateway: streams end after 15 minutes, so a million make ${number(MANY / STREAM_SECONDS)} requests a second. How many it holds open at a time is not published.`,
    ].join('\n'),
    '## What grows with data, not with traffic',
    'A page and a record cost the same at any number of records, as far as [measured](performance.md#growth). Items, partitions and indexes of DynamoDB have no bound; a partition key holds any amount here, because no local index exists. Lists of a bot take 16 partitions at most; a table of rows 16. The largest things bounded by design are in [compatibility](compatibility.md).',
  );
}
