/** The platform that a command targets: a deployed stack or the local platform. */
import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import { localCredentials } from '#infra/local/localPlatform.ts';
import { useLocalSecret } from '#infra/local/services/access/localSecret.ts';
import { type LocalServices, readLocalServices } from '#infra/local/servicesFile.ts';
import { HelpRequest } from '#infra/settings/commandLine.ts';
import { stateDirectory } from '#infra/settings/stateDirectory.ts';
import { VARIABLES } from '#shared/core/environment.ts';
import { redirectLog } from '#shared/core/logOutput.ts';

export const targetOptions = {
  local: { type: 'boolean', default: false },
  stack: { type: 'string', default: 'Parley' },
} as const;

/** Invalid usage of a command. The message is one line. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** @throws UsageError when there is no platform */
export async function findAddresses({ local, stack }: Target): Promise<{ apiBaseUrl: string; chatBaseUrl: string }> {
  const { [VARIABLES.apiBaseUrl]: givenApi, [VARIABLES.chatBaseUrl]: givenChat } = process.env;
  if (givenApi && givenChat) return { apiBaseUrl: givenApi, chatBaseUrl: givenChat };
  if (local) {
    const { apiBaseUrl, chatBaseUrl } = await findLocalServices();
    return { apiBaseUrl, chatBaseUrl };
  }
  const [apiBaseUrl, chatBaseUrl] = await Promise.all([outputOf(stack, 'ApiBaseUrl'), outputOf(stack, 'ChatBaseUrl')]);
  return { apiBaseUrl, chatBaseUrl };
}

export async function findConsole({ local, stack }: Target): Promise<string> {
  const { CONSOLE_URL: given } = process.env;
  if (given) return given;
  return local ? `${(await findLocalServices()).apiBaseUrl}/console/` : outputOf(stack, 'ConsoleUrl');
}

/** Returns the address below which the webhooks of installations are. @throws UsageError when there is no platform */
export async function findWebhookBase({ local, stack }: Target): Promise<string> {
  const { [VARIABLES.webhookBaseUrl]: given } = process.env;
  if (given) return given;
  return local ? (await findLocalServices()).webhookBaseUrl : outputOf(stack, 'WebhookBaseUrl');
}

export async function isStartedHere(apiBaseUrl: string): Promise<boolean> {
  return (await readLocalServices())?.apiBaseUrl === apiBaseUrl;
}

async function findLocalServices(): Promise<LocalServices> {
  const services = await readLocalServices();
  if (!services)
    throw new UsageError(
      `No platform was started in ${stateDirectory}. Run npm start, or set PARLEY_DIR to the folder of the one that runs.`,
    );
  return services;
}

interface Target {
  local: boolean;
  stack: string;
}

/** Points this process at the platform's table and bucket. @throws UsageError when there is no platform */
export async function useTarget({ local, stack }: Target): Promise<void> {
  if (local) {
    const services = await findLocalServices();
    useLocalSecret(services.secret);
    Object.assign(process.env, localCredentials(), {
      AWS_ENDPOINT_URL_DYNAMODB: services.dynamodbEndpoint,
      AWS_ENDPOINT_URL_S3: services.s3Endpoint,
      [VARIABLES.tableName]: services.tableName,
      [VARIABLES.bucketName]: services.bucketName,
    });
    return;
  }
  process.env[VARIABLES.tableName] ??= await outputOf(stack, 'TableName');
  process.env[VARIABLES.bucketName] ??= await outputOf(stack, 'BucketName');
}

async function outputOf(stackName: string, name: string): Promise<string> {
  try {
    const { Stacks } = await new CloudFormationClient({}).send(new DescribeStacksCommand({ StackName: stackName }));
    const output = Stacks?.[0]?.Outputs?.find(({ OutputKey }) => OutputKey === name)?.OutputValue;
    if (output) return output;
  } catch (error) {
    throw new UsageError(
      `Stack ${stackName} was not found: ${(error as Error).message}\nCheck --stack and the AWS credentials and region, or use --local for the platform that npm start runs.`,
    );
  }
  throw new UsageError(`Stack ${stackName} has no output ${name}. Set --stack to a Parley stack.`);
}

/** Runs a command. Prints its help, reports invalid usage in one line and other failures with a stack trace. */
export async function runCommand(command: () => Promise<void>): Promise<void> {
  // A command's stdout is its result.
  redirectLog(line => void process.stderr.write(`${line}\n`));
  try {
    await command();
  } catch (error) {
    if (error instanceof HelpRequest) return void process.stdout.write(`${error.message}\n`);
    const isUsageError = error instanceof UsageError || (error as { code?: string }).code?.startsWith('ERR_PARSE_ARGS');
    process.stderr.write(`${isUsageError ? (error as Error).message : (error as Error).stack}\n`);
    process.exitCode = 1;
  }
}
