/**
 * Walks each wiring by which a service of AWS acts on a resource of the stack, and checks that the resource's policy,
 * or the role that the service assumes, permits it. The emulator does not check policies of services.
 */
import { describe, expect, it } from 'vitest';
import { EVERY_SETTING } from './everySetting.ts';
import { type Synthesised, synthesised } from './template.ts';

// biome-ignore lint/suspicious/noExplicitAny: a template is as deep as CloudFormation
type Json = any;

interface Wiring {
  name: string;
  /** The statements that may permit the wiring. */
  statements: Json[];
  service: string | undefined;
  actions: string[];
  /** The logical id of the resource that the service acts on. */
  resource: string;
  /** The logical id that a condition on the source must name. */
  source?: string;
}

const everything = synthesised(EVERY_SETTING);
const stacks = (from: Synthesised) => from.stacks.map(resources => Object.entries<Json>(resources));
const idOf = (value: Json): string => value?.Ref ?? value?.['Fn::GetAtt']?.[0] ?? JSON.stringify(value);

/** Types of resources that make a service act, with their wirings. */
const ACTORS: Record<string, (properties: Json, find: (type: string) => [string, Json][], id: string) => Wiring[]> = {
  'AWS::CloudWatch::Alarm': ({ AlarmActions = [], OKActions = [], InsufficientDataActions = [] }, find) =>
    [...AlarmActions, ...OKActions, ...InsufficientDataActions].map((topic: Json) => ({
      name: `alarm → topic`,
      statements: find('AWS::SNS::TopicPolicy').flatMap(([, policy]) =>
        policy.Topics.some((each: Json) => idOf(each) === idOf(topic)) ? policy.PolicyDocument.Statement : [],
      ),
      service: 'cloudwatch.amazonaws.com',
      actions: ['sns:Publish'],
      resource: idOf(topic),
      source: ':cloudwatch:',
    })),
  'AWS::S3::Bucket': ({ NotificationConfiguration: { QueueConfigurations = [], ...rest } = {} }, find) => {
    expect(Object.keys(rest), 'add a case for this kind of notification').toEqual([]);
    return QueueConfigurations.map(({ Queue }: Json) => ({
      name: 'bucket → queue',
      statements: find('AWS::SQS::QueuePolicy').flatMap(([, policy]) =>
        policy.Queues.some((each: Json) => idOf(each) === idOf(Queue)) ? policy.PolicyDocument.Statement : [],
      ),
      service: 's3.amazonaws.com',
      actions: ['sqs:SendMessage'],
      resource: idOf(Queue),
      source: 'AWS::AccountId',
    }));
  },
  'AWS::Events::Rule': ({ Targets }, find, id) =>
    Targets.map(({ Arn }: Json) => ({
      name: 'rule → function',
      statements: find('AWS::Lambda::Permission').map(
        ([, { Action, Principal, FunctionName: Resource, SourceArn }]) => ({
          Effect: 'Allow',
          Action,
          Principal: { Service: Principal },
          Resource,
          Condition: { ArnLike: { 'aws:SourceArn': SourceArn } },
        }),
      ),
      service: 'events.amazonaws.com',
      actions: ['lambda:InvokeFunction'],
      resource: idOf(Arn),
      source: id,
    })),
  'AWS::CloudFront::Distribution': ({ DistributionConfig: { Origins } }, find, id) =>
    Origins.filter((origin: Json) => origin.OriginAccessControlId).map((origin: Json) => ({
      name: 'distribution → bucket',
      statements: find('AWS::S3::BucketPolicy').flatMap(([, policy]) => policy.PolicyDocument.Statement),
      service: 'cloudfront.amazonaws.com',
      actions: ['s3:GetObject'],
      resource: idOf(origin.DomainName),
      source: id,
    })),
  'AWS::Lambda::EventSourceMapping': ({ EventSourceArn, FunctionName, DestinationConfig }, find) => {
    const { Role } = Object.fromEntries(find('AWS::Lambda::Function'))[functionOf(FunctionName, find)];
    const statements = statementsOf(idOf(Role), find);
    const isStream = JSON.stringify(EventSourceArn).includes('StreamArn');
    const failures = DestinationConfig?.OnFailure?.Destination;
    return [
      {
        name: `${isStream ? 'stream' : 'queue'} → function`,
        statements,
        service: undefined,
        actions: isStream
          ? ['dynamodb:GetRecords', 'dynamodb:GetShardIterator', 'dynamodb:DescribeStream', 'dynamodb:ListStreams']
          : ['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:GetQueueAttributes'],
        resource: idOf(EventSourceArn),
      },
      ...(failures
        ? [
            {
              name: 'failed batch → queue',
              statements,
              service: undefined,
              actions: ['sqs:SendMessage'],
              resource: idOf(failures),
            },
          ]
        : []),
    ];
  },
};

/** Resolves an alias to its function. */
function functionOf(name: Json, find: (type: string) => [string, Json][]): string {
  const alias = find('AWS::Lambda::Alias').find(([id]) => id === idOf(name));
  return alias ? idOf(alias[1].FunctionName) : idOf(name);
}

function statementsOf(role: string, find: (type: string) => [string, Json][]): Json[] {
  const [, { Policies = [] }] = find('AWS::IAM::Role').find(([id]) => id === role)!;
  const attached = find('AWS::IAM::Policy').filter(([, { Roles }]) => Roles.some((each: Json) => idOf(each) === role));
  return [...Policies, ...attached.map(([, policy]) => policy)].flatMap(
    ({ PolicyDocument }: Json) => PolicyDocument.Statement,
  );
}

const wiringsOf = (from: Synthesised): Wiring[] =>
  stacks(from).flatMap(resources => {
    const find = (type: string): [string, Json][] =>
      resources.flatMap(([id, { Type, Properties }]) => (Type === type ? [[id, Properties ?? {}]] : []));
    return resources.flatMap(([id, { Type, Properties }]) => ACTORS[Type]?.(Properties ?? {}, find, id) ?? []);
  });

const listOf = (value: Json): Json[] => (Array.isArray(value) ? value : [value]);

const matchesAction = (statement: Json, action: string) =>
  listOf(statement.Action).some(
    pattern => pattern === action || (pattern.endsWith('*') && action.startsWith(pattern.slice(0, -1))),
  );

/** Ignores Deny statements for requests without TLS: services use it. */
const permits =
  ({ service, resource, source }: Wiring, action: string) =>
  (statement: Json) =>
    statement.Effect === 'Allow' &&
    matchesAction(statement, action) &&
    (service === undefined || listOf(statement.Principal?.Service).includes(service)) &&
    JSON.stringify(statement.Resource).includes(resource) &&
    (source === undefined || JSON.stringify(statement.Condition ?? {}).includes(source));

describe('services of AWS', () => {
  it.each([...new Set(wiringsOf(everything).map(({ name }) => name))])('may act on every resource: %s', name => {
    const wirings = wiringsOf(everything).filter(each => each.name === name);

    const missing = wirings.flatMap(wiring =>
      wiring.actions.filter(action => !wiring.statements.some(permits(wiring, action))).map(action => [wiring, action]),
    );

    expect(missing).toEqual([]);
  });

  it('has no other grant', () => {
    expect([...new Set(wiringsOf(everything).map(({ name }) => name))].sort()).toEqual([
      'alarm → topic',
      'bucket → queue',
      'distribution → bucket',
      'failed batch → queue',
      'queue → function',
      'rule → function',
      'stream → function',
    ]);
  });

  /** Resources that make a service act, which the stack does not use. A new one needs a case above. */
  it.each([
    'AWS::CloudTrail::Trail',
    'AWS::Events::EventBus',
    'AWS::Logs::Destination',
    'AWS::Logs::SubscriptionFilter',
    'AWS::Pipes::Pipe',
    'AWS::S3::AccessPoint',
    'AWS::Scheduler::Schedule',
    'AWS::StepFunctions::StateMachine',
    'AWS::WAFv2::LoggingConfiguration',
  ])('does not include %s', type => {
    expect(everything.all.filter(([, { Type }]) => Type === type)).toEqual([]);
  });

  it('needs no key, because no queue, topic or log group is encrypted with a customer key', () => {
    const keyed = everything.all.filter(
      ([, { Properties = {} }]) => Properties.KmsMasterKeyId ?? Properties.KmsKeyId ?? undefined,
    );

    expect(keyed.map(([, { Type }]) => Type)).toEqual(['AWS::SecretsManager::Secret']);
  });

  it('can publish only alarms of this stack to its topic', () => {
    const [statement] = Object.values(everything.root)
      .filter(({ Type }) => Type === 'AWS::SNS::TopicPolicy')
      .flatMap(({ Properties }) => Properties.PolicyDocument.Statement)
      .filter(({ Effect }) => Effect === 'Allow');

    expect(statement.Condition.StringEquals).toEqual({ 'aws:SourceAccount': { Ref: 'AWS::AccountId' } });
    expect(JSON.stringify(statement.Condition.ArnLike)).toMatch(/:cloudwatch:.*:alarm:Parley-\*/);
  });
});

describe('the deployment of the console', () => {
  it('waits for no invalidation, because a slow one would roll back the whole stack', () => {
    const deployments = everything.all.filter(([, { Type }]) => Type === 'Custom::CDKBucketDeployment');

    expect(deployments.length).toBeGreaterThan(0);
    for (const [id, { Properties }] of deployments) expect(Properties.DistributionId, id).toBeUndefined();
  });
});
