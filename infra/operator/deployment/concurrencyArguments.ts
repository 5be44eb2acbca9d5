import { App } from 'aws-cdk-lib';
import { settingsOf } from '#infra/settings/settingsOf.ts';
import { ACCOUNT_LIMIT_CONTEXT, reservedConcurrencyOf, sumOf } from '#infra/stack/reservedConcurrency.ts';
import { stackNameOf } from '#infra/stack/stackName.ts';
import { findOtherFunction, readAccountConcurrency } from './accountConcurrency.ts';
import { chooseShare, DecisionRequired } from './concurrencyShare.ts';
import { findDeployedStack } from './deployedStack.ts';
import { deploymentContext } from './deploymentContext.ts';

interface Found {
  args: string[];
  /** Lines for the operator. */
  note: string;
}

type Config = { profile?: string };

/**
 * Returns arguments of `cdk deploy`: the account's limit, and `accountConcurrency` unless the operator sets it. Without
 * permission to read the account, keeps the deployed number, or reserves nothing.
 *
 * @throws DecisionRequired if the reservations would take executions from other functions
 */
export async function concurrencyArguments(given: readonly string[], directory = process.cwd()): Promise<Found> {
  const { context, config } = deploymentContext(given, directory);
  const { accountConcurrency } = settingsOf(appWith(context));
  return accountConcurrency === undefined ? find(context, config) : confirm(accountConcurrency, config);
}

async function find(context: Record<string, unknown>, config: Config): Promise<Found> {
  const stackName = stackNameOf(settingsOf(appWith(context)));
  let kept: number | undefined;
  try {
    const deployed = await findDeployedStack(stackName, config);
    kept = deployed?.shared;
    const account = await readAccountConcurrency(config);
    const { share, note } = await chooseShare({
      account,
      deployed,
      reservedOf: value => reservedIn({ ...context, accountConcurrency: String(value) }),
      findOther: () => findOtherFunction(stackName, config),
    });
    return { args: [...settingOf(share), ...limitOf(account)], note };
  } catch (error) {
    if (error instanceof DecisionRequired) throw error;
    const reason = `the account could not be read: ${(error as Error).message}`;
    if (kept !== undefined)
      return { args: settingOf(kept), note: `Concurrency: accountConcurrency=${kept}, as deployed, because ${reason}` };
    return {
      args: [],
      note:
        `Concurrency: nothing is reserved, because ${reason}\n` +
        'Allow lambda:GetAccountSettings, lambda:ListFunctions and cloudformation:DescribeStacks, or set it: npm run deploy -- -c accountConcurrency=1000.',
    };
  }
}

/** Passes the account's limit on, so that the next deployment detects a change. */
async function confirm(accountConcurrency: number, config: Config): Promise<Found> {
  const note = `Concurrency: accountConcurrency=${accountConcurrency}, as set.`;
  const account = await readAccountConcurrency(config).catch(() => undefined);
  return { args: account ? limitOf(account) : [], note };
}

const settingOf = (share: number) => ['-c', `accountConcurrency=${share}`];
const limitOf = ({ limit }: { limit: number }) => ['-c', `${ACCOUNT_LIMIT_CONTEXT}=${limit}`];

function reservedIn(context: Record<string, unknown>): number {
  const reserved = reservedConcurrencyOf(appWith(context));
  return reserved ? sumOf(reserved) : 0;
}

const appWith = (context: Record<string, unknown>) => new App({ autoSynth: false, context });
