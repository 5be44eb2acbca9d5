/**
 * Tests that the stack can be redeployed after a failed first deployment, and next to the data of a destroyed stack: no
 * retained resource has a name that the next deployment assigns.
 */
import { expect, it } from 'vitest';
import { EVERY_SETTING } from './everySetting.ts';
import { physicalNames } from './physicalNames.ts';
import { synthesised } from './template.ts';

const FIRST = { region: 'eu-west-1', stackGuid: '3f2a9c40-aa00-11f0-9e44-0a1b2c3d4e5f' };
const NEXT = { region: 'eu-west-1', stackGuid: '51b7d310-aa00-11f0-8c11-0e5f4d3c2b1a' };

const stacks = [synthesised(), synthesised(EVERY_SETTING)];
const plain = stacks[0]!;
const ofType = (type: string) => plain.all.filter(([, { Type }]) => Type === type).map(([, resource]) => resource);

it('retains the table, the bucket and the sealing key, unless their first deployment fails', () => {
  for (const type of ['AWS::DynamoDB::GlobalTable', 'AWS::KMS::Key', 'AWS::SecretsManager::Secret'])
    expect(ofType(type).map(({ DeletionPolicy }) => DeletionPolicy)).toEqual(['RetainExceptOnCreate']);
  expect(ofType('AWS::S3::Bucket').map(({ DeletionPolicy }) => DeletionPolicy)).toEqual([
    'RetainExceptOnCreate',
    'Delete',
  ]);
});

it('retains no resource with a fixed name', () => {
  for (const stack of stacks) {
    const retained = stack.all.filter(([, { DeletionPolicy }]) => DeletionPolicy?.startsWith('Retain'));
    const named = physicalNames({ ...stack, all: retained }, FIRST);

    expect(retained.length).toBeGreaterThanOrEqual(6);
    expect(named).toEqual([]);
  }
});

it('retains the account-wide role of API Gateway, because the account refers to it', () => {
  const [account] = ofType('AWS::ApiGateway::Account');
  const role = plain.root[account!.Properties.CloudWatchRoleArn['Fn::GetAtt'][0]]!;

  expect([account!.DeletionPolicy, role.DeletionPolicy]).toEqual(['Retain', 'Retain']);
});

it('permits no function to create a log group, which could reappear after its deletion', () => {
  for (const stack of stacks)
    for (const { actions, description } of stack.functions)
      expect(
        actions.filter(action => /^logs:(?:\*|CreateLogGroup)/.test(action)),
        description,
      ).toEqual([]);
});

it('gives unique names to groups that services or the CDK may recreate after their deletion', () => {
  const accessLogs = (environment: typeof FIRST) =>
    physicalNames(plain, environment)
      .filter(({ name }) => /\/(?:access|deployment)-/.test(name))
      .map(({ name }) => name);
  const [first, next] = [accessLogs(FIRST), accessLogs(NEXT)];

  expect(first).toHaveLength(5);
  for (const name of first)
    expect(name).toMatch(/^\/parley\/Parley\/(?:access-(?:api|chat|webhook|socket)|deployment)-/);
  expect(first.filter(name => next.includes(name))).toEqual([]);
});

it('empties each bucket that it deletes, because CloudFormation deletes no other', () => {
  const deleted = Object.entries(plain.root)
    .filter(([, { Type, DeletionPolicy }]) => Type === 'AWS::S3::Bucket' && DeletionPolicy === 'Delete')
    .map(([id]) => id);
  const emptied = ofType('Custom::S3AutoDeleteObjects').map(({ Properties }) => Properties.BucketName.Ref);

  expect(deleted).toHaveLength(1);
  expect(emptied).toEqual(deleted);
});
