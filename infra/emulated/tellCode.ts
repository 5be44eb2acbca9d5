/** Sets the platform address for the code of bots and integrations. The stack sets AWS's address, which does not resolve. */
import {
  LambdaClient,
  paginateListFunctions,
  UpdateFunctionConfigurationCommand,
  waitUntilFunctionUpdatedV2,
} from '@aws-sdk/client-lambda';
import { VARIABLES } from '#shared/environment.ts';

/** Affects code that is deployed afterwards. */
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
