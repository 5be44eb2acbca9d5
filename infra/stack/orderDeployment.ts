/**
 * Orders the updates of nested stacks, which CloudFormation runs concurrently by default.
 *
 * - A stage is updated after all functions behind its routes, and resources that the new version lacks are deleted
 *   last. Each route therefore has its function at each moment of an update
 *   (docs/operations/upgrading.md#update-order).
 * - APIs and stages are updated one at a time. An account can create a deployment every 5 s, import an API every 3 s
 *   and delete one every 30 s.
 */
import type { NestedStack } from 'aws-cdk-lib';
import type { IDependable } from 'constructs';

interface Published {
  stack: NestedStack;
  stage: NestedStack;
  /** Functions behind the routes, or stacks with them. */
  functions: readonly IDependable[];
}

export function orderDeployment(apis: readonly Published[]): void {
  for (const [i, { stack, stage, functions }] of apis.entries()) {
    stage.node.addDependency(...functions);
    const former = apis[i - 1];
    if (!former) continue;
    stack.node.addDependency(former.stack);
    stage.node.addDependency(former.stage);
  }
}
