/** What is bundled in the place of the SDK's rules finds DynamoDB where they do. */
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { afterEach, expect, it, vi } from 'vitest';
import { defaultEndpointResolver } from '../../infra/lambda/dynamodbEndpoint.ts';
import { VARIABLES } from '../../shared/environment.ts';
import { synthesised } from './template.ts';

afterEach(() => vi.unstubAllEnvs());

/** Where the SDK finds it. */
const found = (Region: string, Endpoint?: string) =>
  new DynamoDBClient({ region: Region }).config.endpointProvider({ Region, Endpoint }).url.href;

it.each([
  ['eu-central-1', 'amazonaws.com'],
  ['us-gov-west-1', 'amazonaws.com'],
  ['cn-north-1', 'amazonaws.com.cn'],
])('of %s', (Region, suffix) => {
  vi.stubEnv(VARIABLES.urlSuffix, suffix);

  expect(defaultEndpointResolver({ Region }).url.href).toBe(found(Region));
});

it('at an address that was given', () => {
  const Endpoint = 'http://127.0.0.1:1234';

  expect(defaultEndpointResolver({ Region: 'eu-central-1', Endpoint }).url.href).toBe(found('eu-central-1', Endpoint));
});

it('by the domain that the stack tells every function with a table', () => {
  const variables = synthesised().functions.map(({ properties }) => properties.Environment?.Variables ?? {});

  const withTable = variables.filter(each => each[VARIABLES.tableName]);

  expect(withTable.length).toBeGreaterThan(100);
  for (const each of withTable) expect(each[VARIABLES.urlSuffix]).toEqual({ Ref: 'AWS::URLSuffix' });
});
