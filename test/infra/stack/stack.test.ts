import { describe, expect, it } from 'vitest';
import * as consumers from '#functions/events/index.ts';
import { accessOf, accessOfConsumer } from '#infra/bundle/functionAccess.ts';
import { apis } from '#infra/gateway/apis.ts';
import { tableStatements } from '#infra/stack/tableStatements.ts';
import { functionNameOf } from '#shared/api/operation.ts';
import { TABLE_SHAPE } from '#shared/storage/dynamodb/keys/table.ts';
import { MIN_RECEIVES, QUEUES } from '#shared/storage/queues/queueSettings.ts';
import { tenantPrefixes } from '#shared/storage/s3/prefixes.ts';
import { synthesised } from './template.ts';

const { root, chat, platform, stacks, all, functions } = synthesised();
const operations = apis.flatMap(api => api.operations);
const accesses = [
  ...operations.map(operation => [functionNameOf(operation), accessOf(operation)] as const),
  ...Object.values(consumers).map(consumer => [consumer.name, accessOfConsumer(consumer)] as const),
];
const ofType = (type: string) => all.filter(([, resource]) => resource.Type === type);
/** The canary's function exists only with alarms. */
const lambdaOf = (name: string) =>
  [functions, synthesised({ alarmEmail: 'you@example.com' }).functions]
    .flat()
    .find(({ description }) => description === name)!;

describe('a function', () => {
  it.each(accesses)('can access only the declared part of the table: %s', (name, access) => {
    const { statements } = lambdaOf(name);
    const onTable = statements.filter(({ Action }) =>
      /^dynamodb:(?!.*Stream|GetRecords|GetShardIterator)/.test([Action].flat()[0]!),
    );

    expect(
      onTable.map(({ Action, Condition, Resource }) => ({
        actions: [Action].flat(),
        partitions: [Condition?.['ForAllValues:StringLike']?.['dynamodb:LeadingKeys'] ?? []].flat(),
        // A scan has no partition keys.
        index: Condition ? undefined : /\/index\/(\w+)"\]\]\}$/.exec(JSON.stringify(Resource))?.[1],
        attributes: Condition?.['ForAllValues:StringEquals']?.['dynamodb:Attributes'],
      })),
    ).toEqual(tableStatements(access).map(each => ({ attributes: undefined, index: undefined, ...each })));
  });

  it('has policies that fit in a role', () => {
    for (const { description, statements } of functions) {
      // IAM accepts 10,240 characters of inline policies; references are longer in a template than resolved.
      expect(JSON.stringify(statements).length, description).toBeLessThan(10_240);
    }
  });

  it.each(accesses)('has only the declared access to the bucket: %s', (name, access) => {
    const { largeValues, objects = {}, readsBodies = false, deadLetters } = access;
    const { statements } = lambdaOf(name);
    const prefixes = (action: string) =>
      statements
        .filter(({ Action }) => [Action].flat().includes(action))
        .flatMap(({ Resource }) => [Resource].flat().map(each => JSON.stringify(each).match(/\/(\w+)\/\*/)?.[1]))
        .sort();
    const { inParts = false } = objects;
    const stored = (kind: 'reads' | 'writes' | 'stages' | 'deletes') =>
      (objects[kind] ?? []).map(prefix => (prefix === 'deadLetters' ? 'parked' : prefix));
    const written = [...new Set([...stored('writes'), ...stored('stages')])];
    const redriven = deadLetters === 'andRedrives' ? ['parked'] : [];

    expect(prefixes('s3:GetObject')).toEqual(
      [...stored('reads'), ...(readsBodies ? ['bodies'] : []), ...(largeValues ? ['values'] : []), ...redriven].sort(),
    );
    expect(prefixes('s3:PutObject')).toEqual(
      [...written, ...(largeValues === 'writes' ? ['values'] : []), ...(deadLetters ? ['parked'] : [])].sort(),
    );
    expect(prefixes('s3:AbortMultipartUpload')).toEqual(inParts ? written : []);
    expect(prefixes('s3:DeleteObject')).toEqual([...stored('deletes'), ...redriven].sort());
  });

  it('deletes objects only if it is a consumer, and only of known kinds', () => {
    const deleting = functions.filter(({ actions }) => actions.includes('s3:DeleteObject'));
    const resources = deleting
      .flatMap(({ statements }) => statements)
      .filter(({ Action }) => [Action].flat().includes('s3:DeleteObject'))
      .flatMap(({ Resource }) => [Resource].flat());

    expect(deleting.map(({ description }) => description).sort()).toEqual([
      'fireTimers',
      'makeTableSnapshot',
      'queueDeliveries',
      'reactToTable',
      'receiveUpload',
      'runTableJob',
      'sweepDeleted',
      'sweepStagedObjects',
    ]);
    for (const resource of resources)
      expect(JSON.stringify(resource)).toMatch(/"\/(?:values|assets|files|uploads|parked|snapshots|exports)\/\*"/);
  });

  it('deletes every object of a tenant in the sweep', () => {
    const { statements } = lambdaOf('sweepDeleted');
    const deletable = JSON.stringify(
      statements.filter(({ Action }) => [Action].flat().includes('s3:DeleteObject')).map(({ Resource }) => Resource),
    );

    for (const prefix of tenantPrefixes('')) expect(deletable).toContain(`/${prefix.replace(/\/$/, '')}*`);
  });

  it('is named after the stack, the group and the operation', () => {
    const names = functions.map(({ properties }) => properties.FunctionName);

    expect(names).toContain('Parley-chat-createMessage');
    expect(names).toContain('Parley-admin-listBots');
    expect(names).toContain('Parley-botChat-createMessage');
    expect(new Set(names).size).toBe(names.length);
    for (const name of names) expect(name.length).toBeLessThanOrEqual(64);
  });

  it('runs on arm64 and the Node version of the tests, with a log that expires', () => {
    expect(process.versions.node.split('.')[0]).toBe('24');
    for (const { properties } of functions) {
      expect(properties).toMatchObject({ Runtime: 'nodejs24.x', Architectures: ['arm64'], Handler: 'index.handler' });
      expect(properties.LoggingConfig.LogGroup).toBeDefined();
    }
    for (const [, { Properties }] of ofType('AWS::Logs::LogGroup')) expect(Properties.RetentionInDays).toBe(30);
  });

  it('has access only to resources of this stack, never "*"', () => {
    for (const { statements, description } of functions) {
      const open = statements.filter(
        ({ Resource, Action }) =>
          Resource === '*' && ![Action].flat().every(action => action === 'dynamodb:ListStreams'),
      );
      expect(open, description).toEqual([]);
    }
  });
});

describe('the table', () => {
  const { Properties: table, DeletionPolicy } = Object.values(root).find(
    ({ Type }) => Type === 'AWS::DynamoDB::GlobalTable',
  )!;

  it('has the keys and indexes of TABLE_SHAPE', () => {
    const keys = (hash: string, range: string) => [
      { AttributeName: hash, KeyType: 'HASH' },
      { AttributeName: range, KeyType: 'RANGE' },
    ];
    const indexes = Object.entries(TABLE_SHAPE.indexes);

    expect(table.KeySchema).toEqual(keys(TABLE_SHAPE.partitionKey, TABLE_SHAPE.sortKey));
    expect(table.GlobalSecondaryIndexes).toEqual(
      indexes.map(([IndexName, { partitionKey, sortKey }]) => ({
        IndexName,
        KeySchema: keys(partitionKey, sortKey),
        Projection: { ProjectionType: 'KEYS_ONLY' },
      })),
    );
  });

  it('is on demand and retained, with point-in-time recovery, a stream and expiry', () => {
    expect(table.BillingMode).toBe('PAY_PER_REQUEST');
    expect(table.StreamSpecification).toEqual({ StreamViewType: 'NEW_AND_OLD_IMAGES' });
    expect(table.TimeToLiveSpecification).toEqual({ AttributeName: 'ttl', Enabled: true });
    expect(table.Replicas[0].PointInTimeRecoverySpecification).toEqual({ PointInTimeRecoveryEnabled: true });
    expect(DeletionPolicy).toBe('RetainExceptOnCreate');
  });
});

it('lets the gateways invoke the functions of this stack by name, and no others', () => {
  for (const [stack, folders] of [
    [chat, ['chat-*']],
    [platform, ['admin-*', 'botChat-*', 'files-*', 'tables-*', 'cognitive-*', 'api-*']],
  ] as const) {
    const role = Object.values(stack).find(
      ({ Type, Properties }) => Type === 'AWS::IAM::Role' && Properties.Policies?.[0]?.PolicyName === 'invoke',
    )!;
    const { Resource } = role.Properties.Policies[0].PolicyDocument.Statement[0];
    const arns = [Resource].flat().map(arn => JSON.stringify(arn));

    expect(arns.map(arn => arn.match(/function:Parley-([^"]+)"/)?.[1])).toEqual(folders);
  }
});

it('keeps the bucket private, encrypted in transit, and retained', () => {
  const [[, bucket]] = ofType('AWS::S3::Bucket') as [(typeof all)[number]];

  expect(bucket.DeletionPolicy).toBe('RetainExceptOnCreate');
  expect(Object.values(bucket.Properties.PublicAccessBlockConfiguration)).toEqual([true, true, true, true]);
  expect(JSON.stringify(ofType('AWS::S3::BucketPolicy'))).toContain('"aws:SecureTransport":"false"');
});

it('sends notifications of uploaded files, and of no other objects', () => {
  const [[, bucket]] = ofType('AWS::S3::Bucket') as [(typeof all)[number]];
  const [configuration, ...others] = bucket.Properties.NotificationConfiguration.QueueConfigurations;
  const { DependsOn } = bucket as unknown as { DependsOn: string[] };
  const policies = ofType('AWS::SQS::QueuePolicy').filter(([id]) => DependsOn.includes(id));

  expect(others).toEqual([]);
  expect(configuration).toMatchObject({
    Event: 's3:ObjectCreated:*',
    Filter: { S3Key: { Rules: [{ Name: 'prefix', Value: 'uploads/' }] } },
  });
  // S3 checks this permission when the bucket is created.
  expect(JSON.stringify(policies)).toContain('"Service":"s3.amazonaws.com"');
});

it('lets only the operations that announce files write where clients upload, and expires uploads', () => {
  const [[, bucket]] = ofType('AWS::S3::Bucket') as [(typeof all)[number]];
  const writing = (prefix: string) =>
    functions
      .filter(({ statements }) =>
        statements.some(
          ({ Action, Resource }) =>
            [Action].flat().includes('s3:PutObject') && JSON.stringify(Resource).includes(`/${prefix}/*`),
        ),
      )
      .map(({ description }) => description);

  expect(writing('uploads')).toEqual(['chat-createFile', 'botChat-createFileInHandoff', 'files-upsertFile']);
  expect(bucket.Properties.LifecycleConfiguration.Rules).toContainEqual(
    expect.objectContaining({ Prefix: 'uploads/', ExpirationInDays: 3, Status: 'Enabled' }),
  );
});

it('serves file contents from a separate origin, where browsers neither sniff types nor run scripts', () => {
  const [[, distribution]] = ofType('AWS::CloudFront::Distribution') as [(typeof all)[number]];
  const [[, headers]] = ofType('AWS::CloudFront::ResponseHeadersPolicy') as [(typeof all)[number]];
  const { SecurityHeadersConfig: security } = headers.Properties.ResponseHeadersPolicyConfig;
  const reading = functions.filter(({ properties }) => properties.Environment?.Variables?.CONTENT_BASE_URL);

  expect(distribution.Properties.DistributionConfig.DefaultCacheBehavior).toMatchObject({
    AllowedMethods: ['GET', 'HEAD'],
    ViewerProtocolPolicy: 'redirect-to-https',
  });
  expect(security.ContentTypeOptions).toEqual({ Override: true });
  expect(security.ContentSecurityPolicy.ContentSecurityPolicy).toMatch(/^sandbox; script-src 'none'/);
  expect(reading.map(({ description }) => description).sort()).toEqual(
    operations
      .filter(
        each =>
          'objects' in each && each.objects?.reads?.some(prefix => prefix === 'files' || prefix === 'assets') === true,
      )
      .map(functionNameOf)
      .sort(),
  );
});

it('lets only search and indexing use the embedding model and the vectors, and only indexing change them', () => {
  const uses = (action: RegExp, { functions: some } = synthesised({ search: 'bedrock' })) =>
    some.filter(({ actions }) => actions.some(each => action.test(each))).map(({ description }) => description);

  const writing = ['indexFile', 'runTransfer', 'workOnRows'];
  const embedding = ['files-searchFiles', ...writing, 'tables-findTableRows'].sort();
  expect(uses(/^bedrock:InvokeModel$/).sort()).toEqual(embedding);
  expect(uses(/^bedrock:InvokeModel$/, synthesised())).toEqual([]);
  expect(uses(/^s3vectors:(Put|Create)/).sort()).toEqual(writing);
  expect(uses(/^s3vectors:Delete/).sort()).toEqual([...writing, 'sweepDeleted'].sort());
  expect(uses(/^s3vectors:QueryVectors$/).sort()).toEqual(embedding);
});

it('gives every queue with a consumer a dead-letter queue, and hides a job for six times its timeout', () => {
  const queues = Object.entries(root).filter(([, { Type }]) => Type === 'AWS::SQS::Queue');
  const sources = ofType('AWS::Lambda::EventSourceMapping').map(([, { Properties }]) => Properties);
  const started = sources.flatMap(({ EventSourceArn }) => EventSourceArn['Fn::GetAtt'][0] as string);

  for (const [id, { Properties }] of queues.filter(([id]) => started.includes(id))) {
    expect(Properties.RedrivePolicy?.maxReceiveCount, id).toBeGreaterThanOrEqual(MIN_RECEIVES);
    const source = sources.find(({ EventSourceArn }) => EventSourceArn['Fn::GetAtt'][0] === id)!;
    const { Properties: lambda } = root[source.FunctionName.Ref]!;
    expect(Properties.VisibilityTimeout, id).toBeGreaterThanOrEqual(6 * lambda.Timeout);
  }
  expect(started.filter(id => queues.some(([queue]) => queue === id))).toHaveLength(Object.keys(QUEUES).length);
});

it('retries and bisects failing batches of the stream, and invokes a consumer only for declared changes', () => {
  const sources = ofType('AWS::Lambda::EventSourceMapping')
    .map(([, { Properties }]) => Properties)
    .filter(({ FilterCriteria }) => FilterCriteria);
  const streamConsumers = [consumers.queueDeliveries, consumers.reactToTable];

  expect(sources).toHaveLength(streamConsumers.length);
  for (const source of sources) {
    expect(source.BisectBatchOnFunctionError).toBe(true);
    expect(source.DestinationConfig.OnFailure.Destination).toBeDefined();
    expect(source.MaximumRetryAttempts).toBeGreaterThan(1);
    // Limit of Lambda.
    expect(source.FilterCriteria.Filters.length).toBeLessThanOrEqual(5);
  }
  const filters = sources.map(({ FilterCriteria }) =>
    FilterCriteria.Filters.map(({ Pattern }: { Pattern: string }) => JSON.parse(Pattern)),
  );
  for (const { trigger } of streamConsumers) expect(filters).toContainEqual(trigger.stream);
  // One mapping counts in stream order. The other preserves the order only within a partition.
  expect(sources.map(({ ParallelizationFactor }) => ParallelizationFactor ?? 1).sort()).toEqual([1, 10]);
});

it('grants deployed code nothing, not even direct writes to CloudWatch Logs', () => {
  const role = Object.values(root).find(({ Properties }) =>
    Properties.Description?.startsWith('Parley: deployed code'),
  )!;

  expect(role.Type).toBe('AWS::IAM::Role');
  expect([role.Properties.Policies, role.Properties.ManagedPolicyArns]).toEqual([undefined, undefined]);
  const attached = Object.values(root).filter(({ Type }) => Type === 'AWS::IAM::Policy');
  expect(attached.map(({ Properties }) => JSON.stringify(Properties.Roles)).join()).not.toMatch(/"Code/);
});

it("encrypts the environment of deployed code with the stack's key, for which only its deployer may create grants", () => {
  const { properties, statements } = lambdaOf('deployCode');
  const grants = statements.filter(({ Action }) => [Action].flat().includes('kms:CreateGrant'));
  const others = functions.filter(({ actions }) => actions.includes('kms:CreateGrant'));

  expect(properties.Environment.Variables).toHaveProperty('CODE_KMS_KEY_ARN');
  expect(grants).toMatchObject([{ Condition: { Bool: { 'kms:GrantIsForAWSResource': 'true' } } }]);
  expect(others.map(({ description }) => description)).toEqual(['deployCode']);
});

it('lets API Gateway write logs before it creates a stage', () => {
  const [[accountId, account]] = ofType('AWS::ApiGateway::Account') as [(typeof all)[number]];
  const role = root[account.Properties.CloudWatchRoleArn['Fn::GetAtt'][0]]!;
  const nested = Object.entries(root).filter(([id]) => /^(Chat|Platform|Webhook)NestedStack/.test(id));

  expect(JSON.stringify(role.Properties.ManagedPolicyArns)).toContain('AmazonAPIGatewayPushToCloudWatchLogs');
  // Other APIs of the account may use it.
  expect([account.DeletionPolicy, role.DeletionPolicy]).toEqual(['Retain', 'Retain']);
  expect(nested).toHaveLength(3);
  for (const [, resource] of nested) expect(resource).toMatchObject({ DependsOn: expect.arrayContaining([accountId]) });
});

describe('an operation that streams', () => {
  const integrations = [chat, platform].flatMap(stack => {
    const [api] = Object.values(stack).filter(({ Type }) => Type === 'AWS::ApiGateway::RestApi');
    const methods = Object.values(api!.Properties.Body.paths).flatMap(path => Object.values(path as object));
    return methods.map(
      method => [method.operationId, JSON.stringify(method['x-amazon-apigateway-integration'])] as const,
    );
  });
  const streaming: string[] = operations.filter(({ streams }) => streams).map(({ name }) => name);

  it('is the only one invoked by the streaming API of Lambda', () => {
    expect(streaming).toEqual(['initializeConversation', 'listenConversation', 'generateTextStream']);
    for (const [name, integration] of integrations) {
      const isStream = streaming.includes(name);
      expect(integration.includes('"responseTransferMode":"STREAM"'), name).toBe(isStream);
      expect(/path\/2021-11-15\/.*\/response-streaming-invocations"/.test(integration), name).toBe(isStream);
      expect(/path\/2015-03-31\/.*\/invocations"/.test(integration), name).toBe(!isStream);
    }
  });

  it('has a timeout of 15 minutes at the gateway and as a function; any other has 29 seconds', () => {
    for (const [name, integration] of integrations) {
      expect(JSON.parse(integration).timeoutInMillis, name).toBe(streaming.includes(name) ? 900_000 : 29_000);
    }
    for (const operation of operations) {
      expect(lambdaOf(functionNameOf(operation)).properties.Timeout).toBe(operation.streams ? 900 : 29);
    }
  });
});

it('stays below the limits of CloudFormation in every stack', () => {
  for (const stack of stacks) {
    expect(Object.keys(stack).length).toBeLessThan(450);
    expect(JSON.stringify(stack).length).toBeLessThan(900_000);
  }
});
