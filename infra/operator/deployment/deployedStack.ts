import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import { ACCOUNT_LIMIT_OUTPUT, RESERVED_OUTPUT, SHARED_OUTPUT } from '#infra/stack/reservedConcurrency.ts';

export interface DeployedStack {
  /** Sum of the stack's reservations. */
  reserved: number;
  /** `accountConcurrency` of the last deployment. Absent in stacks of earlier versions. */
  shared: number | undefined;
  /** Account limit at the last deployment. Absent if it could not be read. */
  accountLimit: number | undefined;
}

/** Returns undefined before the first deployment. @throws Error of AWS, such as `AccessDenied` */
export async function findDeployedStack(
  StackName: string,
  config: { profile?: string },
): Promise<DeployedStack | undefined> {
  const found = await outputsOf(StackName, config);
  if (!found) return undefined;
  const numberOf = (name: string) => {
    const value = found.get(name);
    return value && /^\d+$/.test(value) ? Number(value) : undefined;
  };
  return {
    reserved: numberOf(RESERVED_OUTPUT) ?? 0,
    shared: numberOf(SHARED_OUTPUT),
    accountLimit: numberOf(ACCOUNT_LIMIT_OUTPUT),
  };
}

async function outputsOf(StackName: string, config: { profile?: string }) {
  try {
    const { Stacks } = await new CloudFormationClient(config).send(new DescribeStacksCommand({ StackName }));
    return new Map(Stacks?.[0]?.Outputs?.map(({ OutputKey, OutputValue }) => [OutputKey, OutputValue]));
  } catch (error) {
    if ((error as Error).name === 'ValidationError') return undefined;
    throw error;
  }
}
