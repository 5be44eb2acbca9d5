/** What must hold of the stack whatever is added to it. */
import { describe, expect, it } from 'vitest';
import * as consumers from '#functions/events/index.ts';
import { apis } from '#infra/gateway/apis.ts';
import { GATEWAY_RESPONSES } from '#infra/gateway/gatewayResponses.ts';
import { accessOf } from '#infra/stack/access.ts';
import { QUEUE_SETTINGS } from '#infra/stack/queueSettings.ts';
import { functionNameOf } from '#shared/api/operation.ts';
import { TABLE_SHAPE } from '#shared/dynamodb/keys/table.ts';
import { STATUS_OF } from '#shared/errors.ts';
import { synthesised } from './template.ts';

const { root, chat, platform, stacks, all, functions } = synthesised();
const operations = apis.flatMap(api => api.operations);
const ofType = (type: string) => all.filter(([, resource]) => resource.Type === type);
const WRITE = /^dynamodb:(Put|Update|Delete|BatchWrite|ConditionCheck)/;
const KEEPING_USE = JSON.stringify({
  'ForAllValues:StringEquals': { 'dynamodb:Attributes': ['pk', 'sk', 'id', 'lastUsedAtMs'] },
});
const lambdaOf = (name: string) => functions.find(({ description }) => description === name)!;

describe('a function', () => {
  it.each(operations.map(operation => [functionNameOf(operation), operation.table] as const))(
    '%s, which %s, may do no more with the table',
    (name, table) => {
      const { actions, statements } = lambdaOf(name);
      // Any function may keep when a token was used, and that alone.
      const writes = statements.filter(each => [each.Action].flat().some(action => WRITE.test(action)));
      const others = writes.filter(({ Condition }) => JSON.stringify(Condition) !== KEEPING_USE);

      expect(others.length > 0).toBe(table === 'writes');
      expect(actions.includes('dynamodb:GetItem')).toBe(table !== 'none');
      expect(actions.filter(action => /Scan|\*/.test(action))).toEqual([]);
    },
  );

  it.each(operations.map(operation => [functionNameOf(operation), accessOf(operation)] as const))(
    '%s may do no more with the bucket than its declaration asks for',
    (name, { largeValues, objects, readsBodies = false }) => {
      const { actions, statements } = lambdaOf(name);
      const prefixes = (action: string) =>
        statements
          .filter(({ Action }) => [Action].flat().includes(action))
          .map(({ Resource }) => JSON.stringify(Resource).match(/\/(\w+)\/\*/)?.[1])
          .sort();
      const isTrue = (condition: boolean, prefix: string) => (condition ? [prefix] : []);

      expect(prefixes('s3:GetObject')).toEqual([
        ...isTrue(objects === 'readsAssets' || objects === 'writesAssets', 'assets'),
        ...isTrue(readsBodies, 'bodies'),
        ...isTrue(objects === 'readsFiles' || objects === 'writesFiles', 'files'),
        ...isTrue(largeValues !== undefined, 'values'),
      ]);
      expect(prefixes('s3:PutObject')).toEqual([
        ...isTrue(objects === 'writesAssets', 'assets'),
        ...isTrue(objects === 'signsUploads', 'bodies'),
        ...isTrue(objects === 'writesFiles', 'files'),
        ...isTrue(largeValues === 'writes', 'values'),
      ]);
      expect(actions).not.toContain('s3:DeleteObject');
    },
  );

  it('has a name that is found in the account: the stack, the folder, the operation', () => {
    const names = functions.map(({ properties }) => properties.FunctionName);

    expect(names).toContain('Parley-chat-createMessage');
    expect(names).toContain('Parley-admin-listBots');
    expect(names).toContain('Parley-botChat-createMessage');
    expect(new Set(names).size).toBe(names.length);
    for (const name of names) expect(name.length).toBeLessThanOrEqual(64);
  });

  it('runs on the Node of the tests, on arm64, with a log that ends', () => {
    expect(process.versions.node.split('.')[0]).toBe('24');
    for (const { properties } of functions) {
      expect(properties).toMatchObject({ Runtime: 'nodejs24.x', Architectures: ['arm64'], Handler: 'index.handler' });
      expect(properties.LoggingConfig.LogGroup).toBeDefined();
    }
    for (const [, { Properties }] of ofType('AWS::Logs::LogGroup')) expect(Properties.RetentionInDays).toBe(30);
  });

  it('reaches resources of this stack only, never "*"', () => {
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

  it('has the keys and indexes of keys.ts', () => {
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
        Projection: { ProjectionType: 'ALL' },
      })),
    );
  });

  it('costs nothing when idle, can be restored, streams, expires, and outlives the stack', () => {
    expect(table.BillingMode).toBe('PAY_PER_REQUEST');
    expect(table.StreamSpecification).toEqual({ StreamViewType: 'NEW_AND_OLD_IMAGES' });
    expect(table.TimeToLiveSpecification).toEqual({ AttributeName: 'ttl', Enabled: true });
    expect(table.Replicas[0].PointInTimeRecoverySpecification).toEqual({ PointInTimeRecoveryEnabled: true });
    expect(DeletionPolicy).toBe('Retain');
  });
});

it('the gateways may start the functions of this stack by their names, and no others', () => {
  for (const [stack, folders] of [
    [chat, ['chat-*']],
    [platform, ['admin-*', 'botChat-*', 'files-*', 'tables-*', 'api-*']],
  ] as const) {
    const role = Object.values(stack).find(
      ({ Type, Properties }) => Type === 'AWS::IAM::Role' && Properties.Policies?.[0]?.PolicyName === 'invoke',
    )!;
    const { Resource } = role.Properties.Policies[0].PolicyDocument.Statement[0];
    const arns = [Resource].flat().map(arn => JSON.stringify(arn));

    expect(arns.map(arn => arn.match(/function:Parley-([^"]+)"/)?.[1])).toEqual(folders);
  }
});

it('the bucket is private, encrypted in transit, and outlives the stack', () => {
  const [[, bucket]] = ofType('AWS::S3::Bucket') as [(typeof all)[number]];

  expect(bucket.DeletionPolicy).toBe('Retain');
  expect(Object.values(bucket.Properties.PublicAccessBlockConfiguration)).toEqual([true, true, true, true]);
  expect(JSON.stringify(ofType('AWS::S3::BucketPolicy'))).toContain('"aws:SecureTransport":"false"');
});

it('the bucket tells of what is uploaded as a file, and of nothing else', () => {
  const [[, bucket]] = ofType('AWS::S3::Bucket') as [(typeof all)[number]];
  const [configuration, ...others] = bucket.Properties.NotificationConfiguration.QueueConfigurations;
  const { DependsOn } = bucket as unknown as { DependsOn: string[] };
  const policies = ofType('AWS::SQS::QueuePolicy').filter(([id]) => DependsOn.includes(id));

  expect(others).toEqual([]);
  expect(configuration).toMatchObject({
    Event: 's3:ObjectCreated:*',
    Filter: { S3Key: { Rules: [{ Name: 'prefix', Value: 'files/' }] } },
  });
  // It may send when it is made, or it cannot be made.
  expect(JSON.stringify(policies)).toContain('"Service":"s3.amazonaws.com"');
});

it('contents are read from an address of their own, where a browser guesses nothing and runs nothing', () => {
  const [[, distribution]] = ofType('AWS::CloudFront::Distribution') as [(typeof all)[number]];
  const [[, headers]] = ofType('AWS::CloudFront::ResponseHeadersPolicy') as [(typeof all)[number]];
  const { SecurityHeadersConfig: security } = headers.Properties.ResponseHeadersPolicyConfig;
  const reading = functions.filter(({ properties }) => properties.Environment?.Variables?.CONTENT_BASE_URL);

  expect(distribution.Properties.DistributionConfig.DefaultCacheBehavior).toMatchObject({
    AllowedMethods: ['GET', 'HEAD'],
    ViewerProtocolPolicy: 'redirect-to-https',
  });
  expect(security.ContentTypeOptions).toEqual({ Override: true });
  expect(security.ContentSecurityPolicy.ContentSecurityPolicy).toContain("script-src 'none'");
  expect(reading.map(({ description }) => description).sort()).toEqual(
    operations
      .filter(each => 'objects' in each && (each.objects === 'readsFiles' || each.objects === 'writesFiles'))
      .map(functionNameOf)
      .sort(),
  );
});

it('only what searches or indexes may use the embedding model and the vectors, and only indexing may change them', () => {
  const uses = (action: RegExp) =>
    functions.filter(({ actions }) => actions.some(each => action.test(each))).map(({ description }) => description);

  const writing = ['indexFile', 'sweepDeleted', 'workOnRows'];
  const using = ['files-searchFiles', ...writing, 'tables-findTableRows'].sort();
  expect(uses(/^bedrock:InvokeModel$/).sort()).toEqual(using);
  expect(uses(/^s3vectors:(Put|Delete|Create)/).sort()).toEqual(writing);
  expect(uses(/^s3vectors:QueryVectors$/).sort()).toEqual(using);
});

it('every queue that starts a function has a dead-letter queue, and hides a job for as long as it may take', () => {
  const queues = Object.entries(root).filter(([, { Type }]) => Type === 'AWS::SQS::Queue');
  const sources = ofType('AWS::Lambda::EventSourceMapping').map(([, { Properties }]) => Properties);
  const started = sources.flatMap(({ EventSourceArn }) => EventSourceArn['Fn::GetAtt'][0] as string);

  for (const [id, { Properties }] of queues.filter(([id]) => started.includes(id))) {
    expect(Properties.RedrivePolicy?.maxReceiveCount, id).toBeGreaterThan(1);
    // The source names the function it starts.
    const source = sources.find(({ EventSourceArn }) => EventSourceArn['Fn::GetAtt'][0] === id)!;
    const { Properties: lambda } = root[source.FunctionName.Ref]!;
    expect(Properties.VisibilityTimeout).toBeGreaterThanOrEqual(lambda.Timeout);
  }
  expect(started.filter(id => queues.some(([queue]) => queue === id))).toHaveLength(Object.keys(QUEUE_SETTINGS).length);
});

it('the stream repeats, halves and parks what fails, and starts a function only for what it reacts to', () => {
  const sources = ofType('AWS::Lambda::EventSourceMapping')
    .map(([, { Properties }]) => Properties)
    .filter(({ FilterCriteria }) => FilterCriteria);
  const reacting = [consumers.queueDeliveries, consumers.reactToTable];

  expect(sources).toHaveLength(reacting.length);
  for (const source of sources) {
    expect(source.BisectBatchOnFunctionError).toBe(true);
    expect(source.DestinationConfig.OnFailure.Destination).toBeDefined();
    expect(source.MaximumRetryAttempts).toBeGreaterThan(1);
    // Lambda takes five.
    expect(source.FilterCriteria.Filters.length).toBeLessThanOrEqual(5);
  }
  const filters = sources.map(({ FilterCriteria }) =>
    FilterCriteria.Filters.map(({ Pattern }: { Pattern: string }) => JSON.parse(Pattern)),
  );
  for (const { trigger } of reacting) expect(filters).toContainEqual(trigger.stream);
});

describe.each([
  ['chat', chat],
  ['api', platform],
])('the gateway of %s', (stage, stack) => {
  const find = (type: string) => Object.values(stack).filter(({ Type }) => Type === type);

  it('is regional, takes bytes as bytes, and its stage is called like it', () => {
    const [api] = find('AWS::ApiGateway::RestApi');

    expect(api!.Properties).toMatchObject({
      EndpointConfiguration: { Types: ['REGIONAL'] },
      BinaryMediaTypes: ['*/*'],
    });
    expect(find('AWS::ApiGateway::Stage')[0]!.Properties.StageName).toBe(stage);
  });

  it('gives its own refusals the wire shape, and never answers 502', () => {
    const responses = find('AWS::ApiGateway::GatewayResponse').map(({ Properties }) => Properties);

    expect(responses.map(({ ResponseType }) => ResponseType).sort()).toEqual(
      Object.values(GATEWAY_RESPONSES)
        .map(({ type }) => type)
        .sort(),
    );
    for (const { StatusCode, ResponseTemplates, ResponseParameters } of responses) {
      const body = JSON.parse(ResponseTemplates['application/json']);
      expect(Object.keys(body)).toEqual(['id', 'code', 'type', 'message']);
      expect(String(body.code)).toBe(StatusCode);
      expect(STATUS_OF[body.type as keyof typeof STATUS_OF]).toBe(body.code);
      expect(StatusCode).not.toBe('502');
      expect(ResponseParameters['gatewayresponse.header.Access-Control-Allow-Origin']).toBe(
        'method.request.header.Origin',
      );
    }
  });

  it('deploys only when its refusals are shaped', () => {
    const deployment = find('AWS::ApiGateway::Deployment')[0] as unknown as { DependsOn: string[] };
    const refusals = Object.keys(stack).filter(id => stack[id]!.Type === 'AWS::ApiGateway::GatewayResponse');

    expect(deployment.DependsOn).toEqual(expect.arrayContaining(refusals));
  });
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

  it('is started by the call of Lambda that streams, and no other is', () => {
    expect(streaming).toEqual(['listenConversation']);
    for (const [name, integration] of integrations) {
      const isStream = streaming.includes(name);
      expect(integration.includes('"responseTransferMode":"STREAM"'), name).toBe(isStream);
      expect(/path\/2021-11-15\/.*\/response-streaming-invocations"/.test(integration), name).toBe(isStream);
      expect(/path\/2015-03-31\/.*\/invocations"/.test(integration), name).toBe(!isStream);
    }
  });

  it('has 15 minutes, at the gateway and as a function; any other 29 seconds', () => {
    for (const [name, integration] of integrations) {
      expect(JSON.parse(integration).timeoutInMillis, name).toBe(streaming.includes(name) ? 900_000 : 29_000);
    }
    for (const operation of operations) {
      expect(lambdaOf(functionNameOf(operation)).properties.Timeout).toBe(operation.streams ? 900 : 29);
    }
  });
});

it('no stack comes near the limits of CloudFormation', () => {
  for (const stack of stacks) {
    expect(Object.keys(stack).length).toBeLessThan(450);
    expect(JSON.stringify(stack).length).toBeLessThan(900_000);
  }
});
