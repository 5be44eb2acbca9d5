/**
 * Orders the updates of nested stacks, which CloudFormation runs concurrently by default.
 *
 * - APIs are updated one at a time. An account can create a deployment every 5 s, import an API every 3 s and delete
 *   one every 30 s.
 * - Functions are updated before their API, so that new routes never return 500. Functions that return an API's
 *   generated URL depend on that API and are updated later (docs/operations.md#update-order).
 */
import { Token } from 'aws-cdk-lib';
import type { ApiStack } from './apiStack.ts';
import type { GroupStack } from './groupStack.ts';

export interface OrderedGroup {
  stack: GroupStack;
  api: ApiStack;
  addresses: readonly string[];
}

export function orderDeployment(apis: readonly ApiStack[], groups: readonly OrderedGroup[]): void {
  for (const [i, api] of apis.entries()) if (i > 0) api.node.addDependency(apis[i - 1]!);
  for (const { stack, api, addresses } of groups) {
    const isGenerated = addresses.some(each => Token.isUnresolved(each));
    if (!isGenerated) api.node.addDependency(stack);
  }
}
