/** Which platform a command of the operator works on: a deployed stack, or the one on this machine. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import { localCredentials } from '#infra/local/platform.ts';
import { stateDirectory } from '#infra/local/state.ts';
import { VARIABLES } from '#shared/environment.ts';

/** The options that every command takes. */
export const targetOptions = {
  /** The platform that `npm start` runs, instead of a deployed one. */
  local: { type: 'boolean', default: false },
  /** The name of the deployed stack. */
  stack: { type: 'string', default: 'Parley' },
} as const;

/** What `npm start` writes for these commands. */
export interface LocalServices {
  dynamodbEndpoint: string;
  tableName: string;
}
export const localServicesFile = () => join(stateDirectory, 'services.json');

/** What the operator did wrong, in one line. */
export class UsageError extends Error {
  override readonly name = 'Misused';
}

/** Points this process at the table. @throws Misused when there is none */
export async function useTarget({ local, stack }: { local: boolean; stack: string }): Promise<void> {
  if (local) {
    const services: LocalServices | undefined = await readFile(localServicesFile(), 'utf8').then(
      JSON.parse,
      () => undefined,
    );
    if (!services) throw new UsageError('No platform runs here. Start one: npm start');
    Object.assign(process.env, localCredentials(), {
      AWS_ENDPOINT_URL_DYNAMODB: services.dynamodbEndpoint,
      [VARIABLES.tableName]: services.tableName,
    });
    return;
  }
  process.env[VARIABLES.tableName] ??= await tableOf(stack);
}

async function tableOf(stackName: string): Promise<string> {
  try {
    const { Stacks } = await new CloudFormationClient({}).send(new DescribeStacksCommand({ StackName: stackName }));
    const output = Stacks?.[0]?.Outputs?.find(({ OutputKey }) => OutputKey === 'TableName')?.OutputValue;
    if (output) return output;
  } catch (error) {
    throw new UsageError(
      `The stack ${stackName} was not found: ${(error as Error).message}\nGive --stack, and AWS credentials and region; or --local for the platform that npm start runs.`,
    );
  }
  throw new UsageError(`The stack ${stackName} has no output TableName: is it a Parley?`);
}

/** Runs a command, and says in one line what was wrong with how it was called. */
export async function runCommand(command: () => Promise<void>): Promise<void> {
  try {
    await command();
  } catch (error) {
    const isMisuse = error instanceof UsageError || (error as { code?: string }).code?.startsWith('ERR_PARSE_ARGS');
    process.stderr.write(`${isMisuse ? (error as Error).message : (error as Error).stack}\n`);
    process.exitCode = 1;
  }
}
