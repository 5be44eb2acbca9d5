/**
 * The order in which CloudFormation updates the nested stacks. By default it updates them concurrently.
 *
 * - APIs are updated one at a time. An account can create a deployment every 5 s, import an API every 3 s and delete
 *   one every 30 s.
 * - Functions are updated before the API that routes to them, so that the route of a new operation never returns 500.
 *   Functions that return the generated address of an API depend on it and are updated later
 *   (docs/operations.md#update-order).
 */
import { Token } from 'aws-cdk-lib';
import type { ApiStack } from './apiStack.ts';
import type { GroupStack } from './groupStack.ts';

export interface OrderedGroup {
  stack: GroupStack;
  /** The API whose routes lead to it. */
  api: ApiStack;
  /** The addresses of APIs that its functions return. */
  addresses: readonly string[];
}

export function orderDeployment(apis: readonly ApiStack[], groups: readonly OrderedGroup[]): void {
  for (const [i, api] of apis.entries()) if (i > 0) api.node.addDependency(apis[i - 1]!);
  for (const { stack, api, addresses } of groups) {
    const isGenerated = addresses.some(each => Token.isUnresolved(each));
    if (!isGenerated) api.node.addDependency(stack);
  }
}
