/** `npm run logs -- --error err_…`: searches the log of a stack or of the local platform. */

import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  CloudWatchLogsClient,
  DescribeLogGroupsCommand,
  GetQueryResultsCommand,
  type ResultField,
  StartQueryCommand,
} from '@aws-sdk/client-cloudwatch-logs';
import { runCommand, targetOptions, UsageError } from '#infra/operator/target/target.ts';
import { parseCommand } from '#infra/settings/commandLine.ts';
import { localLogFile } from '#infra/settings/stateDirectory.ts';
import { logPrefix } from '#infra/stack/logPrefix.ts';
import { clock } from '#shared/core/clock.ts';
import { insightsQuery, parseSpan, type Search, searchLines } from './logQuery.ts';

const USAGE = [
  'npm run logs -- --error err_…                lines about an error that a caller quotes',
  '                --errors                     failures of the platform',
  '                --gateway                    requests that the gateways rejected',
  '                --operation <name>           lines of an operation or a consumer',
  '                --text <part of a line>',
  '                --slow | --top               the slowest calls, or the most frequent',
  '                [--since 30m|6h|2d] [--limit 50] [--stack Parley | --local]',
].join('\n');

const MAX_LINES = 10_000;
const POLL_MS = 500;
const PAGE_GROUPS = 50;

await runCommand(async () => {
  const { values } = parseCommand(USAGE, {
    options: {
      ...targetOptions,
      error: { type: 'string' },
      errors: { type: 'boolean', default: false },
      gateway: { type: 'boolean', default: false },
      operation: { type: 'string' },
      text: { type: 'string' },
      slow: { type: 'boolean', default: false },
      top: { type: 'boolean', default: false },
      since: { type: 'string', default: '1h' },
      limit: { type: 'string', default: '50' },
    },
  });
  const [span, limit] = [parseSpan(values.since), Number(values.limit)];
  const isSelective =
    values.error ?? values.operation ?? values.text ?? (values.errors || values.gateway || values.slow || values.top);
  if (!isSelective || span === undefined || !(limit >= 1 && limit <= MAX_LINES)) throw new UsageError(USAGE);
  // Callers may quote an error days later.
  const sinceMs = values.error ? 0 : clock.now() - span;
  const lines = values.local
    ? await searchLocal(values, sinceMs, limit)
    : await searchStack(values, { stack: values.stack, sinceMs, limit });
  process.stdout.write(lines.length > 0 ? `${lines.join('\n')}\n` : 'No lines match.\n');
});

async function searchLocal(search: Search, sinceMs: number, limit: number): Promise<string[]> {
  const text = await readFile(localLogFile(), 'utf8').catch(() => {
    throw new UsageError('There is no local log. Run npm start first.');
  });
  return searchLines(text.split('\n'), search, sinceMs, limit);
}

async function searchStack(
  search: Search,
  { stack, sinceMs, limit }: { stack: string; sinceMs: number; limit: number },
): Promise<string[]> {
  const client = new CloudWatchLogsClient({});
  const { logGroups = [] } = await client.send(
    new DescribeLogGroupsCommand({ logGroupNamePrefix: logPrefix(stack), limit: PAGE_GROUPS }),
  );
  const names = logGroups.map(({ logGroupName }) => logGroupName!);
  const logGroupNames = names.filter(name => !search.gateway || name.includes('/access-'));
  if (logGroupNames.length === 0)
    throw new UsageError(`The stack ${stack} has no log groups. Check --stack, credentials and region.`);
  const { queryId } = await client.send(
    new StartQueryCommand({
      logGroupNames,
      queryString: insightsQuery(search, limit),
      startTime: Math.floor(sinceMs / 1000),
      endTime: Math.ceil(clock.now() / 1000),
    }),
  );
  for (;;) {
    const { status, results = [] } = await client.send(new GetQueryResultsCommand({ queryId }));
    if (status === 'Complete') return results.map(fields => textOf(fields, search.top));
    if (status !== 'Running' && status !== 'Scheduled') throw new Error(`The query ended with the status ${status}.`);
    await sleep(POLL_MS);
  }
}

const textOf = (fields: ResultField[], isTop: boolean): string =>
  isTop
    ? fields.map(({ value }) => value).join('\t')
    : (fields.find(({ field }) => field === '@message')?.value ?? '').trimEnd();
