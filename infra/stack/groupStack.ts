/**
 * The functions of one group of operations. A nested stack, because CloudFormation takes 500 resources a stack and the
 * platform has about 150 functions.
 */
import { NestedStack } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { functionNameOf } from '#shared/api/operation.ts';
import type { Operation } from '#shared/api/operations.ts';
import { accessOf } from './access.ts';
import { LambdaFunction } from './lambdaFunction.ts';
import { MANAGED_MEMORY_MB, MANAGED_OPTIONS } from './listeners.ts';
import type { Resources } from './resources.ts';
import type { Rollout } from './rollout.ts';
import { timeoutOf } from './timeouts.ts';

/** A listener mostly waits, and Lambda charges memory × time. */
const STREAM_MEMORY_MB = 256;

interface GroupStackProps {
  operations: readonly Operation[];
  resources: Resources;
  rollout: Rollout | undefined;
  variables: Record<string, string>;
}

export class GroupStack extends NestedStack {
  constructor(scope: Construct, id: string, { operations, resources, rollout, variables }: GroupStackProps) {
    super(scope, id, { description: `Parley: ${id}` });
    for (const operation of operations) {
      const isStream = operation.streams !== undefined;
      const isListener = isStream && operation.api === 'chat';
      const { managedListeners, reservedConcurrency } = resources;
      const construct = new LambdaFunction(this, functionNameOf(operation), {
        access: accessOf(operation),
        resources,
        timeout: timeoutOf(isStream),
        ...(isListener
          ? managedListeners
            ? { memoryMb: MANAGED_MEMORY_MB }
            : { memoryMb: STREAM_MEMORY_MB, reservedConcurrency: reservedConcurrency?.listening }
          : {}),
        variables,
      });
      if (isListener) managedListeners?.addFunction(construct.function, MANAGED_OPTIONS);
      rollout?.add(construct, construct.function);
    }
  }
}
