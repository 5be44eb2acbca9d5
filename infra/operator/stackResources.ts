/** The resources of a deployed stack. */
import { CloudFormationClient, paginateListStackResources } from '@aws-sdk/client-cloudformation';

interface StackResource {
  /** As in a template: `AWS::Lambda::Function`. */
  type: string;
  logicalId: string;
  /** The name or ARN; of a nested stack, its ARN. */
  physicalId: string;
}

const NESTED = 'AWS::CloudFormation::Stack';

/** The resources of a stack itself. */
export async function* resourcesOf(StackName: string): AsyncGenerator<StackResource> {
  for await (const page of paginateListStackResources({ client: new CloudFormationClient({}) }, { StackName })) {
    for (const { ResourceType, LogicalResourceId, PhysicalResourceId } of page.StackResourceSummaries ?? []) {
      if (!ResourceType || !LogicalResourceId || !PhysicalResourceId) continue;
      yield { type: ResourceType, logicalId: LogicalResourceId, physicalId: PhysicalResourceId };
    }
  }
}

/** The resources of a stack and of the stacks in it. */
export async function* allResourcesOf(stackName: string): AsyncGenerator<StackResource> {
  for await (const resource of resourcesOf(stackName)) {
    if (resource.type === NESTED) yield* allResourcesOf(resource.physicalId);
    else yield resource;
  }
}
