/**
 * The order in which CloudFormation updates the nested stacks. Without one it updates them all concurrently.
 *
 * - The APIs follow one another: an account has one deployment of an API each 5 s, one import each 3 s and one deletion each 30 s.
 * - Functions come before the API whose routes lead to them, so that a route of a new operation never answers 500. Functions that return the
 *   generated address of an API depend on that API. They come after it (docs/operations.md#upgrading).
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
