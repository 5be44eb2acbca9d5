/** Concurrent executions of the account, and functions outside the stack that share them. */
import { GetAccountSettingsCommand, LambdaClient, paginateListFunctions } from '@aws-sdk/client-lambda';
import { apis } from '#infra/gateway/apis.ts';
import { codePrefixOf } from '#infra/stack/stackName.ts';

export interface AccountConcurrency {
  limit: number;
  /** Executions that no function has reserved. */
  unreserved: number;
}

/** @throws Error of AWS, such as `AccessDenied` */
export async function readAccountConcurrency(config: { profile?: string }): Promise<AccountConcurrency> {
  const { AccountLimit } = await new LambdaClient(config).send(new GetAccountSettingsCommand({}));
  const { ConcurrentExecutions: limit, UnreservedConcurrentExecutions: unreserved } = AccountLimit ?? {};
  if (limit === undefined || unreserved === undefined) throw new Error('Lambda returned no limit.');
  return { limit, unreserved };
}

/** Returns the name of one function in the region that does not belong to the stack. */
export async function findOtherFunction(stackName: string, config: { profile?: string }): Promise<string | undefined> {
  const isOwn = ownNames(stackName);
  for await (const { Functions = [] } of paginateListFunctions({ client: new LambdaClient(config) }, {})) {
    const other = Functions.find(({ FunctionName = '' }) => !isOwn(FunctionName));
    if (other) return other.FunctionName;
  }
  return undefined;
}

/** `Parley-staging-admin-getBot` starts with `Parley-` and belongs to another stage. */
function ownNames(stackName: string): (name: string) => boolean {
  const parts = apis.flatMap(({ name, operations }) => [name, ...operations.map(({ group }) => group)]);
  const ofStage = new RegExp(`^${stackName}-[a-z][a-z0-9]{0,7}-(${[...new Set(parts)].join('|')})-`);
  const prefixes = [`${stackName}-`, codePrefixOf(stackName)];
  return name => prefixes.some(prefix => name.startsWith(prefix)) && !ofStage.test(name);
}
