import { CloudFormationClient, paginateListStackResources } from '@aws-sdk/client-cloudformation';

interface StackResource {
  type: string;
  logicalId: string;
  /** Name of the resource, or the ARN of a nested stack. */
  physicalId: string;
}

const NESTED = 'AWS::CloudFormation::Stack';

/** Lists a stack's resources without those of its nested stacks. */
export async function* resourcesOf(StackName: string): AsyncGenerator<StackResource> {
  for await (const page of paginateListStackResources({ client: new CloudFormationClient({}) }, { StackName })) {
    for (const { ResourceType, LogicalResourceId, PhysicalResourceId } of page.StackResourceSummaries ?? []) {
      if (!ResourceType || !LogicalResourceId || !PhysicalResourceId) continue;
      yield { type: ResourceType, logicalId: LogicalResourceId, physicalId: PhysicalResourceId };
    }
  }
}

export async function* allResourcesOf(stackName: string): AsyncGenerator<StackResource> {
  for await (const resource of resourcesOf(stackName)) {
    if (resource.type === NESTED) yield* allResourcesOf(resource.physicalId);
    else yield resource;
  }
}
