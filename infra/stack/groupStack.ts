/** Functions of one group of operations, in a nested stack because a stack is limited to 500 resources. */
import { NestedStack } from 'aws-cdk-lib';
import { Construct } from 'constructs';
import { accessOf } from '#infra/bundle/functionAccess.ts';
import { functionNameOf } from '#shared/api/operation.ts';
import type { Operation } from '#shared/api/operations/operations.ts';
import type { Rollout } from './addRollout.ts';
import { LambdaFunction } from './lambdaFunction.ts';
import { isListener, MANAGED_MEMORY_MB, MANAGED_OPTIONS } from './listeners.ts';
import { reservedFor } from './reservedConcurrency.ts';
import type { Resources } from './resources.ts';
import { timeoutOf } from './timeouts.ts';

/** A listener mostly waits, and Lambda charges for memory × time. */
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
      const { managedListeners, reservedConcurrency } = resources;
      const managed = isListener(operation) ? managedListeners : undefined;
      const construct = new LambdaFunction(managed ? this.#managed() : this, functionNameOf(operation), {
        access: accessOf(operation),
        resources,
        timeout: timeoutOf(operation.streams !== undefined),
        ...(managed ? { memoryMb: MANAGED_MEMORY_MB } : {}),
        ...(isListener(operation) && !managed ? { memoryMb: STREAM_MEMORY_MB } : {}),
        ...(managed ? {} : { reservedConcurrency: reservedFor(operation, reservedConcurrency) }),
        variables,
      });
      managed?.addFunction(construct.function, MANAGED_OPTIONS);
      rollout?.add(construct, construct.function, operation.group);
    }
  }

  /** Scope of functions on managed instances. Its logical ids differ from those of the functions that they replace. */
  #managed(): Construct {
    return (this.node.tryFindChild('Managed') as Construct | undefined) ?? new Construct(this, 'Managed');
  }
}
