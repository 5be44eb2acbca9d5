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
  message: 'A message that no endpoint is called for',
  answeredMessage: 'A message and the answer of the bot',
  upload: 'A file, not indexed',
  indexedFile: 'An indexed file of a page',
  indexedPage: 'Each further page',
  rowCall: '20 rows of 300 bytes in one call',
  page: 'A page of messages',
  search: 'A search among a few hundred passages',
};

export const costPage = (): string =>
  page(
    '# Cost',
    `A month's price at AWS: what the tests measure, times list prices of ${REGION} on demand (${PRICES_AS_OF}), in US dollars, without free tiers, tiers of volume, discounts and taxes. It is an estimate, and was never compared with a bill.`,
    '```sh\nnpm run cost -- --messages 1000000 --listeners 500 --files 10000 --rows 1000000\nnpm run cost -- --help                                    # every option\n\nWORKSPACE=wkspace_…\nnpm run cost -- --workspace "$WORKSPACE" --month 2026-11  # from what was counted in a workspace\n```',
    `Regions with prices: ${REGIONS.map(code).join(', ')}. For others, and for prices of your own, name a file that replaces any of them: \`--prices prices.json\` with \`{ "gatewayMillion": 2.8 }\`. Prices are in [infra/operator/cost/prices.ts](../infra/operator/cost/prices.ts). Those of us-east-1 for API Gateway, Lambda, DynamoDB and S3 Vectors were looked up, the rest are from memory: check what weighs most.`,
    '## Sizes',
    sizesTable(),
    SIZES.map(size => `- ${size.name}: ${code(commandOf(size))}`).join('\n'),
    `An idle installation pays for the pollers of its ${QUEUE_NAMES.length} queues, its dashboard, its key and its secret. A bot that nobody talks to costs the storage of its code, $0.00002. Alarms and the canary are about $7, the firewall $9 (neither is on by default; the sizes with messages have alarms).`,
    'What weighs most in a large installation is listening. Each stream is a function that waits: 2,000 of them cost more than 10 million messages, unless they wait on [managed instances](operations.md#listeners), as in the last column.',
    '## What it is computed from',
    'Each figure is what one action asks for with all that follows from it, when it is done alone. `npx vitest run test/budgets/figures.test.ts` measures all of them, and fails when one no longer holds.',
    figuresTable(),
    [
      '- Counted write units are counters. Many actions in the same second share them: those of a conversation in the conversation, those of a bot and its workspace in the bot.',
      `- Listening: [read units by the pace of looks](performance.md#listeners); something was said within five minutes in ${ASSUMED.livelyShare * 100} % of the hours.`,
      `- Assumed, because only AWS would show it: a call of DynamoDB takes a function ${ASSUMED.callMs} ms, the rest of an invocation ${ASSUMED.invocationMs} ms; a bot's code works for a second on each message while its delivery waits; logs of ${ASSUMED.logBytesPerRequest.toLocaleString('en')} bytes a request; ${ASSUMED.pollsPerMinute} polls a minute of each queue; most happens within ${ASSUMED.busyHours} hours of a day; what is stored is a year's.`,
      '- Not in it: language models (`--workspace` shows what was counted as `ai_spend`), custom domains, the firewall, traces.',
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
    ['Action', 'Requests', 'Batches and jobs', 'DynamoDB calls', 'Read units', 'Write units', 'Counted', 'Bytes kept'],
    (Object.keys(FIGURES) as Action[]).map(action => {
      const { requests, batches, jobs, calls, readUnits, ownWriteUnits, bytes, ...counted } = FIGURES[action];
      const shared = counted.conversationWriteUnits + counted.sharedWriteUnits;
      const cells = [requests, `${batches} + ${jobs}`, calls, readUnits, ownWriteUnits, shared, bytes];
      return [NAMES[action], ...cells.map(cell => cell.toLocaleString('en'))];
    }),
  );
