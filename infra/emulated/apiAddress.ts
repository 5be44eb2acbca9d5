/** Replaces the API's address in functions' environments, because AWS's address does not resolve here. */
import {
  LambdaClient,
  paginateListFunctions,
  UpdateFunctionConfigurationCommand,
  waitUntilFunctionUpdatedV2,
} from '@aws-sdk/client-lambda';
import { VARIABLES } from '#shared/core/environment.ts';

/** Affects code that is deployed later, and URLs of files. */
export async function setApiAddress(address: string): Promise<void> {
  const lambda = new LambdaClient({});
  for await (const { Functions = [] } of paginateListFunctions({ client: lambda }, {})) {
    for (const { FunctionName, Environment } of Functions) {
      if (Environment?.Variables?.[VARIABLES.apiBaseUrl] === undefined) continue;
      const Variables = { ...Environment.Variables, [VARIABLES.apiBaseUrl]: address };
      await lambda.send(new UpdateFunctionConfigurationCommand({ FunctionName, Environment: { Variables } }));
      await waitUntilFunctionUpdatedV2({ client: lambda, maxWaitTime: 30 }, { FunctionName });
    }
  }
}
