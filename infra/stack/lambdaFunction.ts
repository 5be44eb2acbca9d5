/**
 * A Lambda function of the platform: the settings that all share, and the access that its declaration asks for. The context
 * `bundles` names another directory of bundles.
 */
import { join } from 'node:path';
import { type Duration, RemovalPolicy, Stack } from 'aws-cdk-lib';
import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import * as lambda from 'aws-cdk-lib/aws-lambda';
import { LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { BUNDLES } from '#infra/bundle/entries.ts';
import { type Access, hasSealingKey } from './access.ts';
import { policyStatements } from './policyStatements.ts';
import type { Resources } from './resources.ts';
import { environmentVariables } from './variables.ts';

/** The name in the account, which makes its log group easy to find: `Parley-chat-createMessage`. */
export const deployedName = (root: Stack, name: string) => `${root.stackName}-${name}`;

/** Memory decides the share of CPU: 1,769 MB is one vCPU. */
const DEFAULT_MEMORY_MB = 1024;

interface LambdaFunctionProps {
  access: Access;
  resources: Resources;
  timeout: Duration;
  /** Less for a function that mostly waits, more for one that computes or holds much in memory. */
  memoryMb?: number;
  /** Concurrent executions kept for this function, which are its limit too. */
  reservedConcurrency?: number | undefined;
  /** The name in the account, where it differs from the bundle's. */
  deployedAs?: string;
  /** Environment variables besides those that follow from the access. */
  variables?: Record<string, string>;
}

export class LambdaFunction extends Construct {
  readonly function: lambda.Function;

  /** @param name the bundle's */
  constructor(scope: Construct, name: string, props: LambdaFunctionProps) {
    super(scope, name);
    const { access, resources, timeout, memoryMb = DEFAULT_MEMORY_MB, deployedAs = name, variables = {} } = props;
    const { reservedConcurrency } = props;
    const logs = new LogGroup(this, 'Logs', {
      retention: RetentionDays.ONE_MONTH,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    const role = new Role(this, 'Role', {
      assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
      inlinePolicies: {
        access: new PolicyDocument({
          statements: [
            new PolicyStatement({
              actions: ['logs:CreateLogStream', 'logs:PutLogEvents'],
              resources: [logs.logGroupArn],
            }),
            ...policyStatements(access, resources),
            ...(hasSealingKey(access) ? resources.sealing.statements : []),
          ],
        }),
      },
    });
    this.function = new lambda.Function(this, 'Function', {
      functionName: deployedName(Stack.of(resources.data), deployedAs),
      description: name,
      runtime: lambda.Runtime.NODEJS_24_X,
      architecture: lambda.Architecture.ARM_64,
      code: lambda.Code.fromAsset(join(this.node.tryGetContext('bundles') ?? BUNDLES, name)),
      handler: 'index.handler',
      memorySize: memoryMb,
      timeout,
      ...(reservedConcurrency === undefined ? {} : { reservedConcurrentExecutions: reservedConcurrency }),
      role,
      logGroup: logs,
      environment: { ...environmentVariables(access, resources), ...variables },
      ...(hasSealingKey(access) && resources.sealing.kmsKey ? { environmentEncryption: resources.sealing.kmsKey } : {}),
    });
  }
}
