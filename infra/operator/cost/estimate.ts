/** Estimates a month's price: the load's usage of AWS services by measured figures, times list prices. */
import { PASSES_PER_ROUND } from '#shared/storage/dynamodb/connections/pingLoops.ts';
import { QUEUE_NAMES, QUEUES, type QueueName } from '#shared/storage/queues/queueSettings.ts';
import { TIMER_POLL_MINUTES } from '#shared/storage/queues/timerJobs.ts';
import { connectionsOf } from './connections.ts';
import type { Load } from './costLoad.ts';
import { countCustomMetrics } from './customMetrics.ts';
import { ASSUMED, FIGURES, type Figure, listenedHour, MEMORY } from './figures.ts';
import type { Prices } from './prices.ts';

export interface Line {
  service: string;
  what: string;
  usd: number;
}

const HOURS = 730;
const MINUTES = HOURS * 60;
const MILLION = 1e6;
const GB = 1e9;
const STREAM_MINUTES = 15;

interface Sums extends Figure {
  gbSeconds: number;
  invocations: number;
}

export function estimate(load: Load, prices: Prices): Line[] {
  const all = loadWithCanary(load);
  const sums = sumsOf(all);
  return [
    ...gateway(all, sums, prices),
    ...functions(sums, prices),
    ...table(all, sums, prices),
    ...files(all, prices),
    ...queues(all, sums, prices),
    ...search(all, prices),
    ...watching(all, sums, prices),
  ];
}

export const totalOf = (lines: readonly Line[]): number => lines.reduce((sum, { usd }) => sum + usd, 0);

const CANARY_EVERY_MINUTES = 5;

/** Adds the canary, which acts as a user with one conversation every five minutes. */
function loadWithCanary(load: Load): Load {
  const talks = load.hasAlarms ? MINUTES / CANARY_EVERY_MINUTES : 0;
  return { ...load, messages: load.messages + talks, conversations: load.conversations + talks };
}

/** Events per second in busy hours. A stream batch collects the events of a second. */
const perSecond = ({ messages, files, rows }: Load): number =>
  (messages + files + rows / ROWS_PER_CALL) / (HOURS * 3600 * (ASSUMED.busyHours / 24));

const ROWS_PER_CALL = 20;

/** The console renews the presence of a member every 45 seconds. */
const RENEWALS = (22 * 8 * 3600) / 45;

/** A push in addition to the message. */
const PUSH = Object.fromEntries(
  Object.entries(FIGURES.pushedMessage).map(([name, value]) => [name, value - FIGURES.message[name as keyof Figure]]),
) as unknown as Figure;

/** `$connect` and `$disconnect`. */
const CONNECTION_INVOCATIONS = 2;

function sumsOf(load: Load): Sums {
  const connections = connectionsOf(load);
  const counts: [Figure, number][] = [
    [FIGURES.conversation, load.conversations],
    [FIGURES.answeredMessage, load.messages],
    [FIGURES.upload, load.files - load.indexed],
    [FIGURES.indexedFile, load.indexed],
    [FIGURES.indexedPage, load.indexed * Math.max(0, load.pages - 1)],
    [FIGURES.rowCall, load.rows / ROWS_PER_CALL],
    [FIGURES.page, load.reads],
    [FIGURES.search, load.searches],
    [FIGURES.connection, connections.connects],
    [FIGURES.pingPass, connections.passes],
    [FIGURES.presence, load.agents * RENEWALS],
    [FIGURES.visit, load.visits],
    [PUSH, connections.pushes],
  ];
  const sum = (name: keyof Figure) => counts.reduce((total, [figure, count]) => total + figure[name] * count, 0);
  const inBatch = Math.max(1, perSecond(load));
  const ofBot = Math.max(1, perSecond(load) / Math.max(1, load.bots));
  const streams = (connections.streams * MINUTES) / STREAM_MINUTES;
  const polls = MINUTES / TIMER_POLL_MINUTES;
  const requests = sum('requests') + streams;
  const batches = sum('batches') / inBatch;
  const jobs = sum('jobs');
  const calls = sum('calls');
  // Each message invokes the bot's code once, and the delivery waits for it.
  const invocations = requests + batches + jobs + load.messages + polls + connections.connects * CONNECTION_INVOCATIONS;
  return {
    requests,
    batches,
    jobs,
    calls,
    readUnits: sum('readUnits') + listenedUnits(load) + polls * POLL_UNITS,
    ownWriteUnits: sum('ownWriteUnits'),
    conversationWriteUnits: sum('conversationWriteUnits'),
    sharedWriteUnits: sum('sharedWriteUnits') / ofBot,
    bytes: sum('bytes'),
    invocations,
    gbSeconds: gbSecondsOf(load, { invocations, calls }),
  };
}

/** A poll for timers queries 16 lists. */
const POLL_UNITS = 16 * 0.5;
const LIVELY_MS = 60_000;
const SILENT_MS = 600_000;

function listenedUnits(load: Load): number {
  const { livelyShare } = ASSUMED;
  const hour = livelyShare * listenedHour(LIVELY_MS) + (1 - livelyShare) * listenedHour(SILENT_MS);
  return connectionsOf(load).streams * HOURS * hour;
}

function gbSecondsOf(load: Load, { invocations, calls }: { invocations: number; calls: number }): number {
  const gb = (megabytes: number, ms: number) => ((megabytes / 1024) * ms) / 1000;
  const { callMs, invocationMs, indexedFileMs, indexedPageMs } = ASSUMED;
  const embedding = passagesOf(load) * ASSUMED.tokensPerPassage * ASSUMED.embeddedTokenMs;
  const indexing = load.indexed * (indexedFileMs + load.pages * indexedPageMs) + embedding;
  const listening = connectionsOf(load).streams * HOURS * 3_600_000;
  return (
    gb(MEMORY.operations, invocations * invocationMs + calls * callMs) +
    gb(MEMORY.operations + MEMORY.code, load.messages * load.botMs) +
    gb(MEMORY.indexing, indexing) +
    gb(MEMORY.listeners, listening)
  );
}

const quantity = (value: number, unit: string): string => {
  const [scaled, suffix] =
    value >= 1e9 ? [value / 1e9, ' billion'] : value >= MILLION ? [value / MILLION, ' million'] : [value, ''];
  return `${scaled.toLocaleString('en', { maximumSignificantDigits: 3 })}${suffix} ${unit}`;
};

/** Requests and responses of end users, which pass through the distribution. */
const chatRequestsOf = ({ messages, conversations, reads, visits }: Load) =>
  FIGURES.conversation.requests * conversations + messages + reads + visits;

function gateway(load: Load, { requests }: Sums, prices: Prices): Line[] {
  const { connected, frames, connects, pushes } = connectionsOf(load);
  const minutes = connected * MINUTES;
  const chatRequests = chatRequestsOf(load);
  const chatGb = ((chatRequests + pushes) * ASSUMED.bytesPerAnswer) / GB;
  const gigabytes = ((requests - chatRequests) * ASSUMED.bytesPerAnswer) / GB;
  return [
    {
      service: 'API Gateway',
      what: quantity(requests, 'requests'),
      usd: (requests / MILLION) * prices.gatewayMillion,
    },
    {
      service: 'API Gateway',
      what: `${quantity(minutes, 'connection minutes')}, ${quantity(frames, 'frames')}`,
      usd: (minutes / MILLION) * prices.connectionMinuteMillion + (frames / MILLION) * prices.frameMillion,
    },
    { service: 'Data transfer', what: quantity(gigabytes, 'GB out'), usd: gigabytes * prices.transferGb },
    {
      service: 'CloudFront',
      what: `${quantity(chatRequests + connects, 'chat requests')}, ${quantity(chatGb, 'GB')}`,
      usd:
        ((chatRequests + connects) / 10_000) * prices.contentTenThousand +
        ((chatRequests + connects) / MILLION) * prices.edgeFunctionMillion +
        chatGb * prices.contentGb,
    },
  ];
}

const functions = ({ invocations, gbSeconds }: Sums, prices: Prices): Line[] => [
  {
    service: 'Lambda',
    what: quantity(invocations, 'invocations'),
    usd: (invocations / MILLION) * prices.functionMillion,
  },
  { service: 'Lambda', what: quantity(gbSeconds, 'GB-seconds'), usd: gbSeconds * prices.functionGbSecond },
];

function table(load: Load, sums: Sums, prices: Prices): Line[] {
  const { ownWriteUnits, conversationWriteUnits, sharedWriteUnits, readUnits, bytes } = sums;
  const written = ownWriteUnits + conversationWriteUnits + sharedWriteUnits;
  const gigabytes = (bytes * load.months) / GB;
  return [
    {
      service: 'DynamoDB',
      what: quantity(written, 'write units'),
      usd: (written / MILLION) * prices.writeUnitMillion,
    },
    {
      service: 'DynamoDB',
      what: quantity(readUnits, 'read units'),
      usd: (readUnits / MILLION) * prices.readUnitMillion,
    },
    {
      service: 'DynamoDB',
      what: `${quantity(gigabytes, 'GB')} with backups`,
      usd: gigabytes * (prices.tableGb + prices.backupGb),
    },
  ];
}

/** Size of a bot's bundle in the bucket. Lambda stores its copy free of charge. */
const CODE_GB = 0.000_85;

function files(load: Load, prices: Prices): Line[] {
  const uploadedGb = (load.files * load.fileKb) / 1e6;
  const storedGb = uploadedGb * load.months + load.bots * CODE_GB;
  // The upload, and its copy to a prefix that only the platform writes. Each is read once.
  const requests = load.files * 2;
  return [
    { service: 'S3', what: quantity(storedGb, 'GB'), usd: storedGb * prices.objectGb },
    {
      service: 'S3',
      what: quantity(requests * 2, 'requests'),
      usd: (requests / 1000) * (prices.objectPutThousand + prices.objectGetThousand),
    },
    {
      service: 'CloudFront',
      what: quantity(uploadedGb, 'GB of contents'),
      usd: uploadedGb * prices.contentGb + (load.files / 10_000) * prices.contentTenThousand,
    },
  ];
}

const REQUESTS_PER_JOB = 3;
/** A call enqueues the passes of a round. */
const REQUESTS_PER_PASS = 2 + 1 / PASSES_PER_ROUND;

function queues(load: Load, { jobs }: Sums, prices: Prices): Line[] {
  const pollsOf = (names: readonly QueueName[]) => names.length * ASSUMED.pollsPerMinute * MINUTES;
  const [inOrder, others] = [true, undefined].map(isInOrder =>
    QUEUE_NAMES.filter(name => QUEUES[name].isInOrder === isInOrder),
  ) as [QueueName[], QueueName[]];
  // Deliveries and pushes are in order, and all jobs of messages.
  const { passes } = connectionsOf(load);
  const ordered = pollsOf(inOrder) + (jobs - passes) * REQUESTS_PER_JOB;
  const standard = pollsOf(others) + passes * REQUESTS_PER_PASS;
  return [
    {
      service: 'SQS',
      what: quantity(ordered + standard, 'requests'),
      usd: (ordered / MILLION) * prices.fifoMillion + (standard / MILLION) * prices.queueMillion,
    },
  ];
}

const passagesOf = (load: Load) => load.indexed * load.pages * ASSUMED.passagesPerPage;

function search(load: Load, prices: Prices): Line[] {
  const vectorGb = (passagesOf(load) * ASSUMED.bytesPerVector) / GB;
  const storedGb = vectorGb * load.months;
  const searchedTb = (load.searches * storedGb) / Math.max(1, load.bots) / 1000;
  return [
    {
      service: 'S3 Vectors',
      what: `${quantity(storedGb, 'GB')}, ${quantity(load.searches, 'queries')}`,
      usd:
        storedGb * prices.vectorGb +
        vectorGb * prices.vectorPutGb +
        (load.searches / MILLION) * prices.vectorQueryMillion +
        searchedTb * prices.vectorQueryTb,
    },
  ];
}

const ALARMS = 50;
/** The key, and its first two yearly rotations. */
const KEYS = 1;

function watching(load: Load, { requests, invocations }: Sums, prices: Prices): Line[] {
  const silent = connectionsOf(load).passes * (1 - 1 / PASSES_PER_ROUND);
  const others = invocations - requests - silent;
  const logGb = (requests * ASSUMED.logBytesPerRequest + others * ASSUMED.logBytesPerInvocation) / GB;
  const metrics = load.messages + load.files + load.rows > 0 ? countCustomMetrics(load) : 0;
  return [
    {
      service: 'CloudWatch',
      what: `${quantity(logGb, 'GB')} of logs`,
      usd: logGb * (prices.logGb + prices.storedLogGb),
    },
    { service: 'CloudWatch', what: `a dashboard, ${metrics} metrics`, usd: prices.dashboard + metrics * prices.metric },
    ...(load.hasAlarms ? [{ service: 'CloudWatch', what: `${ALARMS} alarms`, usd: ALARMS * prices.alarm }] : []),
    { service: 'KMS, Secrets Manager', what: 'a key, a secret', usd: KEYS * prices.key + prices.secret },
  ];
}
