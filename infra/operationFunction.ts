/**
 * A Lambda of the platform: what all have in common, and the access that its declaration asks for. Nothing more. The
 * context `bundles` says where the bundles lie, if not in their place.
 */
import { join } from 'node:path';
import { type Duration, RemovalPolicy } from 'aws-cdk-lib';
import { Effect, PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Architecture, Code, Function as LambdaFunction, Runtime } from 'aws-cdk-lib/aws-lambda';
import { LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { VARIABLES } from '../shared/environment.ts';
import { BUNDLES } from './bundle.ts';
import type { Storage } from './storage.ts';

/** What a function may do: part of every operation's and reaction's declaration. */
export interface Access {
  table: 'none' | 'reads' | 'writes';
  /** Values too big for the table. */
  bigValues?: 'reads' | 'writes';
  objects?: 'deletes';
  sends?: 'sweeps';
}

const READS = ['dynamodb:GetItem', 'dynamodb:BatchGetItem', 'dynamodb:Query'];
const WRITES = [
  'dynamodb:PutItem',
  'dynamodb:UpdateItem',
  'dynamodb:DeleteItem',
  'dynamodb:BatchWriteItem',
  'dynamodb:ConditionCheckItem',
];

/** Also the memory that decides the share of CPU: 1,769 MB is one. */
const MEMORY_MB = 1024;

export class OperationFunction extends Construct {
  readonly function: LambdaFunction;

  constructor(scope: Construct, name: string, props: { access: Access; storage: Storage; timeout: Duration }) {
    super(scope, name);
    const logs = new LogGroup(this, 'Logs', {
      retention: RetentionDays.ONE_MONTH,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    const role = new Role(this, 'Role', {
      assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
      inlinePolicies: {
        access: new PolicyDocument({
          statements: [
            allow(['logs:CreateLogStream', 'logs:PutLogEvents'], logs.logGroupArn),
            ...statementsOf(props.access, props.storage),
          ],
        }),
      },
    });
    this.function = new LambdaFunction(this, 'Function', {
      description: name,
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      code: Code.fromAsset(join(this.node.tryGetContext('bundles') ?? BUNDLES, name)),
      handler: 'index.handler',
      memorySize: MEMORY_MB,
      timeout: props.timeout,
      role,
      logGroup: logs,
      environment: environmentOf(props.access, props.storage),
    });
  }
}

const allow = (actions: string[], ...resources: string[]) =>
  new PolicyStatement({ effect: Effect.ALLOW, actions, resources });

function statementsOf(access: Access, { table, bucket, sweeps }: Storage): PolicyStatement[] {
  const tableActions = { none: [], reads: READS, writes: [...READS, ...WRITES] }[access.table];
  const values = bucket.arnForObjects('values/*');
  return [
    ...(tableActions.length > 0 ? [allow(tableActions, table.tableArn, `${table.tableArn}/index/*`)] : []),
    ...(access.bigValues ? [allow(['s3:GetObject'], values)] : []),
    ...(access.bigValues === 'writes' ? [allow(['s3:PutObject'], values)] : []),
    ...(access.objects === 'deletes' ? [allow(['s3:DeleteObject'], values)] : []),
    ...(access.sends === 'sweeps' ? [allow(['sqs:SendMessage'], sweeps.queueArn)] : []),
  ];
}

const environmentOf = (access: Access, { table, bucket, sweeps }: Storage): Record<string, string> => ({
  ...(access.table === 'none' ? {} : { [VARIABLES.tableName]: table.tableName }),
  ...(access.bigValues || access.objects ? { [VARIABLES.bucketName]: bucket.bucketName } : {}),
  ...(access.sends ? { [VARIABLES.sweepQueueUrl]: sweeps.queueUrl } : {}),
});
