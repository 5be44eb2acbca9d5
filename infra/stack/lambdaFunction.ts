/** A Lambda function with shared defaults and its declared access. */
import { join } from 'node:path';
import { type Duration, Stack } from 'aws-cdk-lib';
import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import * as lambda from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import { type Access, embedsTexts, hasSealingKey } from '#infra/bundle/functionAccess.ts';
import { settingsOf } from '#infra/settings/settingsOf.ts';
import { bundlesOf } from './bundlesOf.ts';
import { environmentVariables } from './environmentVariables.ts';
import { policyStatements } from './policyStatements.ts';
import type { Resources } from './resources.ts';

export const deployedName = (root: Stack, name: string) => `${root.stackName}-${name}`;

interface LambdaFunctionProps {
  access: Access;
  resources: Resources;
  timeout: Duration;
  /** Default: the setting `memoryMb`. Also determines the CPU share: 1,769 MB is one vCPU. */
  memoryMb?: number;
  /** Reserved concurrent executions, which are also the function's limit. */
  reservedConcurrency?: number | undefined;
  deployedAs?: string;
  variables?: Record<string, string>;
}

export class LambdaFunction extends Construct {
  readonly function: lambda.Function;

  constructor(scope: Construct, name: string, props: LambdaFunctionProps) {
    super(scope, name);
    const { memoryMb: memoryOfOperations } = settingsOf(this);
    const { tracing } = props.resources;
    const { access, resources, timeout, memoryMb = memoryOfOperations, deployedAs = name, variables = {} } = props;
    const { reservedConcurrency } = props;
    const logs = resources.logs.ofFunction(name);
    const embedder = embedsTexts(access) ? resources.search.embedder : undefined;
    const managedPolicies = [
      ...(tracing ? [tracing] : []),
      ...(access.index ? resources.search.policiesFor(access.index) : []),
    ];
    const role = new Role(this, 'Role', {
      assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
      managedPolicies,
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
      code: lambda.Code.fromAsset(join(bundlesOf(this), name)),
      handler: 'index.handler',
      memorySize: Math.max(memoryMb, embedder?.memoryMb ?? 0),
      ...(embedder ? { layers: [embedder.layer] } : {}),
      timeout,
      ...(reservedConcurrency === undefined ? {} : { reservedConcurrentExecutions: reservedConcurrency }),
      role,
      logGroup: logs,
      environment: { ...environmentVariables(access, resources), ...variables },
      ...(hasSealingKey(access) && resources.sealing.kmsKey ? { environmentEncryption: resources.sealing.kmsKey } : {}),
    });
    // The construct's own property would add a policy to every role.
    if (tracing) (this.function.node.defaultChild as lambda.CfnFunction).tracingConfig = { mode: 'Active' };
  }
}
