/** Generates `docs/cost.md`. */

import { parseLoad } from '#infra/operator/cost/costLoad.ts';
import { estimate, totalOf } from '#infra/operator/cost/estimate.ts';
import { type Action, ASSUMED, FIGURES } from '#infra/operator/cost/figures.ts';
import { PRICES_AS_OF, pricesOf, REGIONS } from '#infra/operator/cost/prices.ts';
import { byService, dollars } from '#infra/operator/cost/report.ts';
import { KEEP_ALIVE_MINUTES } from '#shared/api/socket/keepAlive.ts';
import { PING_SECONDS } from '#shared/storage/dynamodb/connections/pingLoops.ts';
import { QUEUE_NAMES } from '#shared/storage/queues/queueSettings.ts';
import { commandOf, SIZES } from './costSizes.ts';
import { code, page, table } from './markdown.ts';

const REGION = 'us-east-1';

const NAMES: Record<Action, string> = {
  conversation: 'A new user with a conversation',
  message: 'A message without a delivery to an endpoint',
  answeredMessage: "A message and the bot's reply",
  upload: 'An unindexed file',
  indexedFile: 'An indexed file of one page',
  indexedPage: 'Each additional page',
  rowCall: '20 rows of 300 bytes in one call',
  page: 'A page of messages',
  search: 'A search in a few hundred passages',
  connection: 'A WebSocket connection, opened and closed',
  pushedMessage: 'A message that one connection receives',
  presence: "A renewal of a member's presence in a conversation",
  visit: 'A page that a visitor opens during a chat',
  pingPass: 'A pass of pings to connections of other clients',
};

export const costPage = (): string =>
  page(
    '# Cost',
    `The estimated monthly price at AWS, in US dollars: usage measured by tests times the on-demand list prices of ${REGION} (${PRICES_AS_OF}). It excludes free tiers, volume tiers, discounts and taxes. It has not been compared with a bill.`,
    '```sh\nnpm run cost -- --messages 1000000 --listeners 500 --files 10000 --rows 1000000\nnpm run cost -- --help                                    # every option\n\nWORKSPACE=wkspace_…\nnpm run cost -- --workspace "$WORKSPACE" --month 2026-11  # from the recorded usage of a workspace\n```',
    `Regions with prices: ${REGIONS.map(code).join(', ')}. To override prices or add a region, pass a file: \`--prices prices.json\` with \`{ "gatewayMillion": 2.8 }\`. Prices are in [infra/operator/cost/prices.ts](../infra/operator/cost/prices.ts). Prices of API Gateway, Lambda, DynamoDB and S3 Vectors in us-east-1 are from the AWS price lists. All others are unverified: check the largest items.`,
    '## Sizes',
    sizesTable(),
    SIZES.map(size => `- ${size.name}: ${code(commandOf(size))}`).join('\n'),
    `An idle installation is billed for polls of its ${QUEUE_NAMES.length} queues, its dashboard, its key and its secret. An idle bot costs $0.00002 for the storage of its code. Alarms and the canary cost about $8, the firewall $12. Both are off by default. The sizes with messages include alarms.`,
    openChats(),
    attendance(),
    '## Method',
    'Each figure is the usage of one isolated action, including its consequences. `npx vitest run test/budgets/figures.test.ts` measures all figures and fails on a deviation.',
    figuresTable(),
    [
      '- Counted write units belong to counters, which aggregate concurrent actions for one second per conversation, bot and workspace.',
      `- Connections: ${KEEP_ALIVE_MINUTES} minutes without a frame cause a keep-alive frame and its reply, and a connection is opened every two hours. Conversations are active (a message within five minutes) in ${ASSUMED.livelyShare * 100} % of the hours. Each message is pushed to one connection.`,
      '- Event streams: [read units by poll interval](performance.md#listeners).',
      `- Assumptions that only AWS can [verify](operations/first-deployment.md): a function spends ${ASSUMED.callMs} ms on a DynamoDB call and ${ASSUMED.invocationMs} ms on the rest of an invocation; a bot's code runs for a second per message while its delivery waits; a request logs ${ASSUMED.logBytesPerRequest.toLocaleString('en')} bytes; each queue is polled ${ASSUMED.pollsPerMinute} times a minute; nearly all traffic occurs within ${ASSUMED.busyHours} hours of a day; data of a year is stored.`,
      `- Indexing embeds with the model in the function, at ${ASSUMED.embeddedTokenMs} ms a token. With \`search=bedrock\`, add the price of the model.`,
      '- Not included: language models (`--workspace` shows the recorded `ai_spend`), custom domains, the firewall, traces.',
    ].join('\n'),
  );

function openChats(): string {
  const prices = pricesOf(REGION);
  const priceOf = (given: Parameters<typeof parseLoad>[0]) =>
    totalOf(estimate(parseLoad({ ...given, listeners: '1' }), prices)) - totalOf(estimate(parseLoad({}), prices));
  const cents = (usd: number) => `$${usd.toLocaleString('en', { maximumSignificantDigits: 2 })}`;
  return `A chat that is open for a month costs ${cents(priceOf({}))} with a client of Parley and ${cents(priceOf({ pinged: '100' }))} with another one over WebSocket, which the server pings every ${PING_SECONDS} seconds: more than half of that is the bot's ping job, which further connections share. An event stream (SSE) occupies a function and costs ${cents(priceOf({ sse: '100' }))}. Clients use SSE where WebSockets are blocked, with \`chatDomain\`, and without a console: \`--sse 10\` estimates a share of 10 %.`;
}

function attendance(): string {
  const prices = pricesOf(REGION);
  const priceOf = (given: Parameters<typeof parseLoad>[0]) =>
    totalOf(estimate(parseLoad(given), prices)) - totalOf(estimate(parseLoad({}), prices));
  const usd = (given: Parameters<typeof parseLoad>[0]) =>
    `$${priceOf(given).toLocaleString('en', { maximumSignificantDigits: 2 })}`;
  return `An agent who has a conversation open for eight hours on 22 days of a month costs ${usd({ agents: '1' })}: the console renews their presence every 45 seconds while its tab is visible and the workspace has other members who can see it. 100,000 reported pages of visitors cost ${usd({ visits: '100000' })}, typing about as much per signal, which the widget sends at most every five seconds and never to a bot alone. The start and the end of typing, but no repetition, causes a notice to the members who watch the bot; only a console that has the conversation open reads it, once for each and every five seconds in between.`;
}

function sizesTable(): string {
  const prices = pricesOf(REGION);
  const estimates = SIZES.map(({ given, ...more }) => estimate(parseLoad(given, more), prices));
  const sums = estimates.map(byService);
  return table(
    ['Service', ...SIZES.map(({ name }) => name)],
    [
      ...[...sums[0]!.keys()].map(service => [service, ...sums.map(each => dollars(each.get(service) ?? 0))]),
      ['**A month**', ...estimates.map(lines => `**${dollars(totalOf(lines))}**`)],
    ],
  );
}

const figuresTable = (): string =>
  table(
    ['Action', 'Requests', 'Batches and jobs', 'DynamoDB calls', 'Read units', 'Write units', 'Counted', 'Bytes kept'],
    (Object.keys(FIGURES) as Action[]).map(action => {
      const { requests, batches, jobs, calls, readUnits, ownWriteUnits, bytes, ...counted } = FIGURES[action];
      const shared = counted.conversationWriteUnits + counted.sharedWriteUnits;
      const cells = [requests, `${batches} + ${jobs}`, calls, readUnits, ownWriteUnits, shared, bytes];
      return [NAMES[action], ...cells.map(cell => cell.toLocaleString('en'))];
    }),
  );
