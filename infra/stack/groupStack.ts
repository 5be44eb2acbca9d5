/** Functions of one group of operations, in a nested stack because a stack is limited to 500 resources. */
import { NestedStack } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { type Access, accessOf, accessOfRoute } from '#infra/bundle/functionAccess.ts';
import { functionNameOf } from '#shared/api/operation.ts';
import type { Operation } from '#shared/api/operations/operations.ts';
import type { SocketRoute } from '#shared/api/socket/socketRoute.ts';
import type { Rollout } from './addRollout.ts';
import { LambdaFunction } from './lambdaFunction.ts';
import { isListener, reservedFor } from './reservedConcurrency.ts';
import type { Resources } from './resources.ts';
import { timeoutOf } from './timeouts.ts';

/** A listener mostly waits, and Lambda charges for memory × time. */
const STREAM_MEMORY_MB = 256;

interface GroupFunction {
  name: string;
  group: string;
  access: Access;
  isStream: boolean;
  operation?: Operation;
}

export const functionOf = (operation: Operation): GroupFunction => ({
  name: functionNameOf(operation),
  group: operation.group,
  access: accessOf(operation),
  isStream: operation.streams !== undefined,
  operation,
});

export const functionOfRoute = (route: SocketRoute): GroupFunction => ({
  name: functionNameOf(route),
  group: route.group,
  access: accessOfRoute(route),
  isStream: false,
});

interface GroupStackProps {
  functions: readonly GroupFunction[];
  resources: Resources;
  rollout: Rollout | undefined;
  variables: Record<string, string>;
}

export class GroupStack extends NestedStack {
  constructor(scope: Construct, id: string, { functions, resources, rollout, variables }: GroupStackProps) {
    super(scope, id, { description: `Parley: ${id}` });
    for (const { name, group, access, isStream, operation } of functions) {
      const construct = new LambdaFunction(this, name, {
        access,
        resources,
        timeout: timeoutOf(isStream),
        ...(operation && isListener(operation) ? { memoryMb: STREAM_MEMORY_MB } : {}),
        reservedConcurrency: operation && reservedFor(operation, resources.reservedConcurrency),
        variables,
      });
      rollout?.add(construct, construct.function, group);
    }
  }
}
