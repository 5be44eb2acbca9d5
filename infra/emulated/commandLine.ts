/**
 * `npm run test:deploy -- cli` starts this: it installs the demo of `npm start` in a deployment, notes its ids where the test of the
 * published command line looks for them, and runs that test.
 */

import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  LambdaClient,
  paginateListFunctions,
  UpdateFunctionConfigurationCommand,
  waitUntilFunctionUpdatedV2,
} from '@aws-sdk/client-lambda';
import { installDemo, type LocalFile } from '#infra/local/demo.ts';
import { VARIABLES } from '#shared/environment.ts';

const { PARLEY_TARGET, PARLEY_DIR } = process.env as Record<string, string>;
const { apiBaseUrl: apiUrl, chatBaseUrl } = JSON.parse(PARLEY_TARGET!);
await tellCode(apiUrl);
const { tenant } = await installDemo(apiUrl);
const local: Partial<LocalFile> = { ...tenant, apiUrl, chatUrl: `${chatBaseUrl}/${tenant.webhookId}` };
await mkdir(PARLEY_DIR!, { recursive: true });
await writeFile(join(PARLEY_DIR!, 'local.json'), JSON.stringify(local));
await import('#test/e2e/cli.ts');

/** Bots are told the address that the deployment has on AWS, which on the emulator leads nowhere. */
async function tellCode(address: string): Promise<void> {
  const lambda = new LambdaClient({});
  for await (const { Functions = [] } of paginateListFunctions({ client: lambda }, {})) {
    for (const { FunctionName, Environment } of Functions.filter(each => /deployCode/.test(each.FunctionName!))) {
      const Variables = { ...Environment?.Variables, [VARIABLES.apiBaseUrl]: address };
      await lambda.send(new UpdateFunctionConfigurationCommand({ FunctionName, Environment: { Variables } }));
      await waitUntilFunctionUpdatedV2({ client: lambda, maxWaitTime: 30 }, { FunctionName });
    }
  }
}
