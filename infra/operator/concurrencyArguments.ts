import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import { GetAccountSettingsCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { App } from 'aws-cdk-lib';
import { settingsOf } from '#infra/settings/settingsOf.ts';
import { RESERVED_OUTPUT } from '#infra/stack/concurrency.ts';
import { stackNameOf } from '#infra/stack/stackName.ts';

interface Found {
  args: string[];
  note: string;
}

/**
 * Returns `accountConcurrency` as arguments unless the operator sets it: the account's concurrent executions in the
 * region, minus other functions' reservations. Without permission to read them, reserves nothing.
 */
export async function concurrencyArguments(given: readonly string[], directory = process.cwd()): Promise<Found> {
  const { context = [], profile } = parseArgs({
    args: [...given],
    strict: false,
    options: { context: { type: 'string', short: 'c', multiple: true }, profile: { type: 'string' } },
  }).values;
  const settings = settingsOf(
    new App({ autoSynth: false, context: { ...fileContext(directory), ...pairsOf(context) } }),
  );
  if (settings.accountConcurrency !== undefined)
    return { args: [], note: `Concurrency: accountConcurrency=${settings.accountConcurrency}, as set.` };

  const config = typeof profile === 'string' ? { profile } : {};
  try {
    const [available, own] = await Promise.all([findUnreserved(config), findOwn(stackNameOf(settings), config)]);
    return {
      args: ['-c', `accountConcurrency=${available + own}`],
      note: `Concurrency: of the account's concurrent executions, ${available + own} are available to this stack (accountConcurrency).`,
    };
  } catch (error) {
    const { message } = error as Error;
    return {
      args: [],
      note: `Concurrency: nothing is reserved, because the account's limit could not be read: ${message}\nAllow lambda:GetAccountSettings and cloudformation:DescribeStacks, or set it: npm run deploy -- -c accountConcurrency=1000.`,
    };
  }
}

const pairsOf = (context: readonly (string | boolean)[]) =>
  Object.fromEntries(
    context.map(pair => {
      const [name, ...value] = String(pair).split('=');
      return [name, value.join('=')];
    }),
  );

function fileContext(directory: string): Record<string, unknown> {
  return JSON.parse(readFileSync(join(directory, 'cdk.json'), 'utf8')).context ?? {};
}

type Config = { profile?: string };

async function findUnreserved(config: Config): Promise<number> {
  const { AccountLimit } = await new LambdaClient(config).send(new GetAccountSettingsCommand({}));
  const { UnreservedConcurrentExecutions: unreserved } = AccountLimit ?? {};
  if (unreserved === undefined) throw new Error('Lambda returned no limit.');
  return unreserved;
}

/** Returns the deployed stack's reservations, or 0 before the first deployment. */
async function findOwn(stackName: string, config: Config): Promise<number> {
  try {
    const { Stacks } = await new CloudFormationClient(config).send(new DescribeStacksCommand({ StackName: stackName }));
    const output = Stacks?.[0]?.Outputs?.find(({ OutputKey }) => OutputKey === RESERVED_OUTPUT);
    return Number(output?.OutputValue ?? 0);
  } catch (error) {
    if ((error as Error).name === 'ValidationError') return 0;
    throw error;
  }
}
