/** The page `docs/cost.md`: what a month costs, for three sizes, and what that is computed from. */
import { estimate, totalOf } from '#infra/operator/cost/estimate.ts';
import { type Action, ASSUMED, FIGURES } from '#infra/operator/cost/figures.ts';
import { parseLoad } from '#infra/operator/cost/load.ts';
import { PRICES_AS_OF, pricesOf, REGIONS } from '#infra/operator/cost/prices.ts';
import { byService, dollars } from '#infra/operator/cost/report.ts';
import { commandOf, SIZES } from '#infra/operator/cost/sizes.ts';
import { QUEUE_NAMES } from '#shared/storage/queues/settings.ts';
import { code, page, table } from './markdown.ts';

const REGION = 'us-east-1';

/** What each action is, as the table calls it. */
const NAMES: Record<Action, string> = {
  conversation: 'A new user with a conversation',
  message: 'A message without a delivery',
  answeredMessage: "A message and the bot's reply",
  upload: 'A file, not indexed',
  indexedFile: 'An indexed file of one page',
  indexedPage: 'Each additional page',
  rowCall: '20 rows of 300 bytes in one call',
  page: 'A page of messages',
  search: 'A search among a few hundred passages',
};

export const costPage = (): string =>
  page(
    '# Cost',
    `This page estimates the monthly price of an installation on AWS: usage measured by tests, multiplied by on-demand list prices of ${REGION} (${PRICES_AS_OF}), in US dollars, without free tiers, volume tiers, discounts and taxes. The estimate has not been compared with a bill.`,
    '```sh\nnpm run cost -- --messages 1000000 --listeners 500 --files 10000 --rows 1000000\nnpm run cost -- --help                                    # every option\n\nWORKSPACE=wkspace_…\nnpm run cost -- --workspace "$WORKSPACE" --month 2026-11  # from the usage of a workspace\n```',
    `Regions with prices: ${REGIONS.map(code).join(', ')}. For other regions or prices, pass a file that overrides any of them: \`--prices prices.json\` with \`{ "gatewayMillion": 2.8 }\`. [infra/operator/cost/prices.ts](../infra/operator/cost/prices.ts) contains the prices. Those of API Gateway, Lambda, DynamoDB and S3 Vectors in us-east-1 were verified. The others are unverified: check the largest ones.`,
    '## Sizes',
    sizesTable(),
    SIZES.map(size => `- ${size.name}: ${code(commandOf(size))}`).join('\n'),
    `An idle installation pays for polling its ${QUEUE_NAMES.length} queues, its dashboard, its key and its secret. An unused bot costs the storage of its code, $0.00002. Alarms and the canary cost about $7, and the firewall $9. Both are off by default; the sizes with messages include alarms.`,
    'Listening is the largest cost of a large installation. Each stream occupies a function: 2,000 streams cost more than 10 million messages, unless they run on [managed instances](operations.md#listeners), as in the last column.',
    '## Assumptions',
    'Each figure is the total usage of one isolated action, including its asynchronous effects. `npx vitest run test/budgets/figures.test.ts` measures the figures and fails if one has changed.',
    figuresTable(),
    [
      '- "Counted" are write units of counters. Actions in the same second share them: actions in one conversation share its counters, and actions of one bot share those of the bot and its workspace.',
      `- Listening: [read units by polling rate](performance.md#listeners). In ${ASSUMED.livelyShare * 100} % of the hours, the last message is at most five minutes old.`,
      `- Assumptions that only AWS could confirm: a DynamoDB call takes a function ${ASSUMED.callMs} ms, and the rest of an invocation ${ASSUMED.invocationMs} ms. A bot's code takes one second per message while its delivery waits. Logs have ${ASSUMED.logBytesPerRequest.toLocaleString('en')} bytes per request. Each queue is polled ${ASSUMED.pollsPerMinute} times a minute. Most of the load occurs within ${ASSUMED.busyHours} hours of a day. Storage is that of one year.`,
      '- Not included: language models (`--workspace` shows their usage as `ai_spend`), custom domains, the firewall, traces.',
    ].join('\n'),
  );

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
    [
      'Action',
      'Requests',
      'Batches and jobs',
      'DynamoDB calls',
      'Read units',
      'Write units',
      'Counted',
      'Bytes stored',
    ],
    (Object.keys(FIGURES) as Action[]).map(action => {
      const { requests, batches, jobs, calls, readUnits, ownWriteUnits, bytes, ...counted } = FIGURES[action];
      const shared = counted.conversationWriteUnits + counted.sharedWriteUnits;
      const cells = [requests, `${batches} + ${jobs}`, calls, readUnits, ownWriteUnits, shared, bytes];
      return [NAMES[action], ...cells.map(cell => cell.toLocaleString('en'))];
    }),
  );
