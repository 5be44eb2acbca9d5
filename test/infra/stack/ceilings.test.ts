/**
 * Compares all templates, without settings and with all, with AWS's ceilings. A margin below a tenth fails here before
 * a deployment does, unless a reason is listed. `npx vitest run test/infra/stack/ceilings.test.ts --silent=false`
 * prints the margins.
 */
import { NestedStack, type Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { expect, it } from 'vitest';
import { VECTOR_BUCKETS } from '#shared/ai/vectorStores/vectorBuckets.ts';
import cdk from '../../../cdk.json' with { type: 'json' };
import { LONGEST_SETTINGS } from './everySetting.ts';
import { synthesised } from './template.ts';

// biome-ignore lint/suspicious/noExplicitAny: a template is as deep as CloudFormation
type Json = any;

/** Quotas of CloudFormation, IAM, Lambda, API Gateway, DynamoDB and CloudFront. */
const CEILINGS = {
  'resources of a stack': 500,
  'bytes of a template': 1_000_000,
  'parameters of a stack': 200,
  'outputs of a stack': 200,
  'dynamic references of a template': 60,
  'characters of the inline policies of a role': 10_240,
  'managed policies of a role': 10,
  'bytes of the environment of a function': 4_096,
  'characters of the name of a function': 64,
  'resources of a REST API': 300,
  'filters of an event source': 5,
  'characters of a filter': 4_096,
  'readers of a shard of the stream': 2,
  'characters of a content security policy': 1_783,
} as const;
type Ceiling = keyof typeof CEILINGS;

const MIN_MARGIN = 0.1;

/** Accepted small margins, with the reason. */
const EXPLAINED: readonly { ceiling: Ceiling; of: RegExp; reason: string }[] = [
  {
    ceiling: 'filters of an event source',
    of: /^(reactToTable|queueDeliveries)/,
    reason: 'One filter stands for all patterns of its shape (`mergeFilters`): new kinds of records add none.',
  },
  {
    ceiling: 'filters of an event source',
    of: /^queueDeliveries/,
    reason:
      'One filter per shape of a change. A new kind of records adds none, and another shape needs another consumer.',
  },
  {
    ceiling: 'characters of the inline policies of a role',
    of: /^reactToTable/,
    reason:
      'The role joins the partitions of all reactions, and sends to each queue. Another queue takes about 120 characters.',
  },
  {
    ceiling: 'resources of a stack',
    of: /^admin-functions/,
    reason: 'Four resources per operation: eleven more operations fit. Then the group needs a second nested stack.',
  },
  {
    ceiling: 'readers of a shard of the stream',
    of: /^DataTable/,
    reason:
      'Two consumers by design: one in the order of the stream, one in that of a partition. Reactions share the second.',
  },
];

interface Reading {
  ceiling: Ceiling;
  of: string;
  value: number;
}

const SETTINGS = {
  'no setting': {},
  'every setting, with the longest values': LONGEST_SETTINGS,
};
/** The CDK writes templates with an indentation of 1 unless its context suppresses it. */
const INDENTATION = cdk.context['@aws-cdk/core:suppressTemplateIndentation'] ? undefined : 1;
/** Templates have the size that the CDK's command line uploads. */
const METADATA = { 'aws:cdk:enable-path-metadata': 'true', 'aws:cdk:enable-asset-metadata': 'true' };

/** Approximates the longest resolved reference, such as a queue's ARN. */
const REFERENCE = 'r'.repeat(100);
/** Matches the reference that lists all vector buckets, whose names have up to 63 characters. */
const IS_LIST_OF_BUCKETS = /BucketNames/;
const LIST_OF_BUCKETS = 'b'.repeat(64 * VECTOR_BUCKETS);
const PSEUDO: Record<string, string> = {
  'AWS::AccountId': '1'.repeat(12),
  'AWS::Partition': 'aws-us-gov',
  'AWS::Region': 'ap-southeast-1',
  'AWS::URLSuffix': 'amazonaws.com.cn',
};

/** Resolves a value as CloudFormation does, with references of the greatest length. */
function resolved(value: Json): Json {
  if (Array.isArray(value)) return value.map(resolved);
  if (typeof value !== 'object' || value === null) return value;
  if (IS_LIST_OF_BUCKETS.test(value.Ref ?? value['Fn::GetAtt']?.[1] ?? '')) return LIST_OF_BUCKETS;
  if (typeof value.Ref === 'string') return PSEUDO[value.Ref] ?? REFERENCE;
  if ('Fn::Join' in value) return value['Fn::Join'][1].map(resolved).join(value['Fn::Join'][0]);
  if (Object.keys(value).some(key => key.startsWith('Fn::'))) return REFERENCE;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, resolved(each)]));
}

const lengthOf = (value: Json): number => JSON.stringify(resolved(value)).length;
const typesOf = (template: Json, type: string): [string, Json][] =>
  Object.entries<Json>(template.Resources)
    .filter(([, { Type }]) => Type === type)
    .map(([id, { Properties }]) => [id, Properties]);

function readingsOf(name: string, template: Json): Reading[] {
  const text = JSON.stringify(template, undefined, INDENTATION);
  const { Parameters = {}, Outputs = {}, Resources } = template;
  const policies = typesOf(template, 'AWS::IAM::Policy');
  return [
    { ceiling: 'resources of a stack', of: name, value: Object.keys(Resources).length },
    { ceiling: 'bytes of a template', of: name, value: Buffer.byteLength(text) },
    { ceiling: 'parameters of a stack', of: name, value: Object.keys(Parameters).length },
    { ceiling: 'outputs of a stack', of: name, value: Object.keys(Outputs).length },
    { ceiling: 'dynamic references of a template', of: name, value: text.split('{{resolve:').length - 1 },
    ...typesOf(template, 'AWS::IAM::Role').flatMap(([id, { Policies = [], ManagedPolicyArns = [] }]): Reading[] => {
      const attached = policies.filter(([, { Roles }]) => Roles.some(({ Ref }: Json) => Ref === id));
      const documents = [...Policies, ...attached.map(([, each]) => each)].map(each => each.PolicyDocument);
      return [
        {
          ceiling: 'characters of the inline policies of a role',
          of: id,
          value: documents.reduce((sum, each) => sum + lengthOf(each), 0),
        },
        { ceiling: 'managed policies of a role', of: id, value: ManagedPolicyArns.length },
      ];
    }),
    ...typesOf(template, 'AWS::Lambda::Function').flatMap(([id, { Environment, FunctionName = '' }]): Reading[] => [
      { ceiling: 'bytes of the environment of a function', of: id, value: lengthOf(Environment?.Variables ?? {}) },
      { ceiling: 'characters of the name of a function', of: id, value: resolved(FunctionName).length },
    ]),
    ...typesOf(template, 'AWS::ApiGateway::RestApi').map(
      ([, { Body }]): Reading => ({ ceiling: 'resources of a REST API', of: name, value: countResources(Body.paths) }),
    ),
    ...typesOf(template, 'AWS::Lambda::EventSourceMapping').flatMap(([id, { FilterCriteria }]): Reading[] => {
      const filters: { Pattern: string }[] = FilterCriteria?.Filters ?? [];
      return [
        { ceiling: 'filters of an event source', of: id, value: filters.length },
        ...filters.map(
          ({ Pattern }): Reading => ({ ceiling: 'characters of a filter', of: id, value: Pattern.length }),
        ),
      ];
    }),
    ...typesOf(template, 'AWS::DynamoDB::GlobalTable').map(([id]): Reading => {
      const sources = typesOf(template, 'AWS::Lambda::EventSourceMapping');
      const readers = sources.filter(([, { EventSourceArn }]) => EventSourceArn['Fn::GetAtt']?.[1] === 'StreamArn');
      return { ceiling: 'readers of a shard of the stream', of: id, value: readers.length };
    }),
    ...typesOf(template, 'AWS::CloudFront::ResponseHeadersPolicy').map(
      ([id, { ResponseHeadersPolicyConfig }]): Reading => ({
        ceiling: 'characters of a content security policy',
        of: id,
        value: lengthOf(
          ResponseHeadersPolicyConfig.SecurityHeadersConfig?.ContentSecurityPolicy?.ContentSecurityPolicy ?? '',
        ),
      }),
    ),
  ];
}

/** Counts every segment of a path as a resource, including the root. */
function countResources(paths: object): number {
  const prefixes = Object.keys(paths).flatMap(path => {
    const segments = path.split('/').filter(Boolean);
    return segments.map((_, i) => segments.slice(0, i + 1).join('/'));
  });
  return new Set(prefixes).size + 1;
}

const readings = Object.values(SETTINGS).flatMap(context => {
  const { stack } = synthesised({ ...context, ...METADATA });
  const stacks = stack.node
    .findAll()
    .filter((each): each is Stack => each === stack || NestedStack.isNestedStack(each));
  return stacks.flatMap(each =>
    readingsOf(each === stack ? 'the root' : each.node.id, Template.fromStack(each).toJSON()),
  );
});
const marginOf = ({ ceiling, value }: Reading) => 1 - value / CEILINGS[ceiling];
const worstOf = (ceiling: Ceiling) =>
  readings.filter(each => each.ceiling === ceiling).sort((a, b) => b.value - a.value)[0]!;
const explains = ({ ceiling, of }: Reading) => EXPLAINED.some(each => each.ceiling === ceiling && each.of.test(of));
const isClose = (reading: Reading) => marginOf(reading) < MIN_MARGIN;

it('reads a value for every ceiling', () => {
  const names = Object.keys(CEILINGS) as Ceiling[];
  const lines = names.map(ceiling => {
    const worst = worstOf(ceiling);
    const { of, value } = worst;
    return `${ceiling.padEnd(46)} ${value} of ${CEILINGS[ceiling]} (${Math.round(marginOf(worst) * 100)} % left): ${of}`;
  });
  process.stdout.write(`${lines.join('\n')}\n`);

  for (const ceiling of names) expect(worstOf(ceiling)?.value, ceiling).toBeGreaterThan(0);
});

it('stays a tenth below every ceiling, except for documented exceptions', () => {
  expect(readings.filter(each => isClose(each) && !explains(each))).toEqual([]);
});

it('exceeds no ceiling', () => {
  expect(readings.filter(each => marginOf(each) < 0)).toEqual([]);
});

it('documents no exception for a ceiling that it stays below', () => {
  const unused = EXPLAINED.filter(
    ({ ceiling, of }) => !readings.some(each => each.ceiling === ceiling && of.test(each.of) && isClose(each)),
  );

  expect(unused).toEqual([]);
});
