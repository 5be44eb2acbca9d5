/** Tells the code of bots and integrations where the emulated deployment is: its own address, that of AWS, leads nowhere. */
import {
  LambdaClient,
  paginateListFunctions,
  UpdateFunctionConfigurationCommand,
  waitUntilFunctionUpdatedV2,
} from '@aws-sdk/client-lambda';
import { VARIABLES } from '#shared/environment.ts';

/** Code that is deployed from now on calls the platform at this address. */
export async function tellCode(address: string): Promise<void> {
  const lambda = new LambdaClient({});
  for await (const { Functions = [] } of paginateListFunctions({ client: lambda }, {})) {
    for (const { FunctionName, Environment } of Functions.filter(each => /deployCode/.test(each.FunctionName!))) {
      const Variables = { ...Environment?.Variables, [VARIABLES.apiBaseUrl]: address };
      await lambda.send(new UpdateFunctionConfigurationCommand({ FunctionName, Environment: { Variables } }));
      await waitUntilFunctionUpdatedV2({ client: lambda, maxWaitTime: 30 }, { FunctionName });
    }
  }
}
