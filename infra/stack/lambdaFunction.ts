/**
 * A Lambda of the platform: what all have in common, and the access that its declaration asks for. Nothing more. The
 * context `bundles` says where the bundles lie, if not in their place.
 */
import { join } from 'node:path';
import { Aws, type Duration, RemovalPolicy, Stack } from 'aws-cdk-lib';
import { Effect, PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Architecture, Code, Function as LambdaFunction, Runtime } from 'aws-cdk-lib/aws-lambda';
import { LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { BUNDLES } from '#infra/bundle/bundle.ts';
import { TABLE_SHAPE } from '#shared/dynamodb/keys/table.ts';
import { VARIABLES } from '#shared/environment.ts';
import { ASSETS_PREFIX, BODIES_PREFIX, FILES_PREFIX, VALUES_PREFIX } from '#shared/s3/prefixes.ts';
import type { Access } from './access.ts';
import type { Storage } from './data.ts';

/** What a function is called in the account, so that its log is easily found: `Parley-chat-createMessage`. */
export const deployedName = (root: Stack, name: string) => `${root.stackName}-${name}`;

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

  /** @param name its bundle's */
  constructor(
    scope: Construct,
    name: string,
    props: {
      access: Access;
      storage: Storage;
      timeout: Duration;
      /** Of one that waits more than it works. */
      memoryMb?: number;
      /** What it is called in the account, if not like its bundle. */
      deployedAs?: string;
      /** Environment variables besides those that follow from its access. */
      variables?: Record<string, string>;
    },
  ) {
    super(scope, name);
    const { access, storage, timeout, memoryMb = MEMORY_MB, deployedAs = name, variables = {} } = props;
    const root = Stack.of(storage);
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
            ...statementsOf(access, storage),
          ],
        }),
      },
    });
    this.function = new LambdaFunction(this, 'Function', {
      functionName: deployedName(root, deployedAs),
      description: name,
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      code: Code.fromAsset(join(this.node.tryGetContext('bundles') ?? BUNDLES, name)),
      handler: 'index.handler',
      memorySize: memoryMb,
      timeout,
      role,
      logGroup: logs,
      environment: { ...environmentOf(access, storage), ...variables },
    });
  }
}

const allow = (actions: string[], ...resources: string[]) =>
  new PolicyStatement({ effect: Effect.ALLOW, actions, resources });

/** An update that touches only these attributes: see `recordUse` in `shared/table/tokens.ts`. */
const allowKeepingUse = (tableArn: string) =>
  new PolicyStatement({
    effect: Effect.ALLOW,
    actions: ['dynamodb:UpdateItem'],
    resources: [tableArn],
    conditions: {
      'ForAllValues:StringEquals': {
        'dynamodb:Attributes': [TABLE_SHAPE.partitionKey, TABLE_SHAPE.sortKey, 'id', 'lastUsedAtMs'],
      },
    },
  });

function statementsOf(access: Access, { table, bucket, queues, search, model }: Storage): PolicyStatement[] {
  const tableActions = { none: [], reads: READS, writes: [...READS, ...WRITES] }[access.table];
  const values = bucket.arnForObjects(`${VALUES_PREFIX}*`);
  const assets = bucket.arnForObjects(`${ASSETS_PREFIX}*`);
  const bodies = bucket.arnForObjects(`${BODIES_PREFIX}*`);
  const files = bucket.arnForObjects(`${FILES_PREFIX}*`);
  const { objects } = access;
  return [
    ...(tableActions.length > 0 ? [allow(tableActions, table.tableArn, `${table.tableArn}/index/*`)] : []),
    ...(access.keepsUse && access.table !== 'writes' ? [allowKeepingUse(table.tableArn)] : []),
    ...(access.largeValues ? [allow(['s3:GetObject'], values)] : []),
    ...(access.largeValues === 'writes' ? [allow(['s3:PutObject'], values)] : []),
    // S3 says that an object is missing only to who may list; to others it is forbidden.
    ...(access.readsBodies ? [allow(['s3:GetObject'], bodies), allow(['s3:ListBucket'], bucket.bucketArn)] : []),
    ...(objects === 'signsUploads' ? [allow(['s3:PutObject'], bodies)] : []),
    ...(objects === 'readsAssets' || objects === 'writesAssets' ? [allow(['s3:GetObject'], assets)] : []),
    ...(objects === 'writesAssets' ? [allow(['s3:PutObject'], assets)] : []),
    ...(objects === 'deletes' ? [allow(['s3:DeleteObject'], values, assets, files)] : []),
    // Listing lets S3 say that an upload has not arrived: without it a missing object is forbidden.
    ...(objects === 'readsFiles' || objects === 'writesFiles'
      ? [allow(['s3:GetObject'], files), allow(['s3:ListBucket'], bucket.bucketArn)]
      : []),
    // A signed upload may do what its signer may: the tag by which one is public at once, too.
    ...(objects === 'writesFiles' ? [allow(['s3:PutObject', 's3:PutObjectTagging'], files)] : []),
    // A missing object is said to be missing, so that an upload that never came is known from one that failed.
    ...(objects === 'checksFiles' ? [allow(['s3:GetObject'], files), allow(['s3:ListBucket'], bucket.bucketArn)] : []),
    ...(objects === 'receivesFiles' ? [allow(['s3:DeleteObject'], files)] : []),
    ...(objects === 'runsTableJobs'
      ? [
          allow(['s3:GetObject', 's3:PutObject', 's3:AbortMultipartUpload', 's3:DeleteObject'], files),
          allow(['s3:ListBucket'], bucket.bucketArn),
        ]
      : []),
    ...(objects === 'sweeps'
      ? [allow(['s3:DeleteObject'], bucket.arnForObjects('*')), allow(['s3:ListBucket'], bucket.bucketArn)]
      : []),
    ...(access.index ? search.statementsFor(access.index) : []),
    ...(access.model ? model.statements : []),
    ...(access.sends ?? []).map(name => allow(['sqs:SendMessage'], queues[name].queueArn)),
  ];
}

/** Under which a function finds a queue. */
export const QUEUE_VARIABLES = {
  sweeps: VARIABLES.sweepQueueUrl,
  timers: VARIABLES.timerQueueUrl,
  deliveries: VARIABLES.deliveryQueueUrl,
  uploads: VARIABLES.uploadQueueUrl,
  indexing: VARIABLES.indexingQueueUrl,
  tableJobs: VARIABLES.tableJobQueueUrl,
  rows: VARIABLES.rowQueueUrl,
};

const environmentOf = (
  access: Access,
  { table, bucket, queues, search, model, contentBaseUrl, arePrivateEndpointsAllowed }: Storage,
): Record<string, string> => ({
  ...(access.table === 'none' ? {} : { [VARIABLES.tableName]: table.tableName, [VARIABLES.urlSuffix]: Aws.URL_SUFFIX }),
  ...(access.largeValues || access.objects || access.readsBodies ? { [VARIABLES.bucketName]: bucket.bucketName } : {}),
  ...(access.index ? search.variables : {}),
  ...(access.model ? model.variables : {}),
  ...(contentBaseUrl && (access.objects === 'readsFiles' || access.objects === 'writesFiles')
    ? { [VARIABLES.contentBaseUrl]: contentBaseUrl }
    : {}),
  ...Object.fromEntries((access.sends ?? []).map(name => [QUEUE_VARIABLES[name], queues[name].queueUrl])),
  ...(access.callsEndpoints && arePrivateEndpointsAllowed ? { [VARIABLES.privateEndpoints]: 'true' } : {}),
});
