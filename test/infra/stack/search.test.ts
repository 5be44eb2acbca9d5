/** Tests the vector buckets of the stack and the access to their indexes. */
import { App, type Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { describe, expect, it } from 'vitest';
import { settingsOf } from '#infra/settings/settingsOf.ts';
import { VECTOR_BUCKETS } from '#shared/ai/vectorStores/vectorBuckets.ts';
import { type Synthesised, synthesised } from './template.ts';

/** Maximum length of a vector bucket's name. */
const NAME_LENGTH = 63;
/** IAM's limit on the characters of a managed policy, without white space. */
const MANAGED_POLICY_LENGTH = 6_144;
/** Lambda's limit on the bytes of a function's environment. */
const ENVIRONMENT_BYTES = 4_096;

const EMBEDDING = ['files-searchFiles', 'indexFile', 'runTransfer', 'tables-findTableRows', 'workOnRows'];

const numbers = Array.from({ length: VECTOR_BUCKETS }, (_, i) => i);
const bucketsOf = ({ all }: Synthesised) =>
  all.filter(([, { Type }]) => Type === 'AWS::S3Vectors::VectorBucket').map(([, bucket]) => bucket);

describe('the vector buckets', () => {
  it('is named by CloudFormation, so that a deployment never collides with a retained bucket', () => {
    const buckets = bucketsOf(synthesised());

    expect(buckets).toHaveLength(VECTOR_BUCKETS);
    for (const { Properties = {} } of buckets) expect(Properties).not.toHaveProperty('VectorBucketName');
  });

  it('is retained, except when its creation is rolled back', () => {
    for (const bucket of bucketsOf(synthesised())) {
      expect(bucket).toMatchObject({ DeletionPolicy: 'RetainExceptOnCreate', UpdateReplacePolicy: 'Retain' });
    }
  });

  it('is deleted with an ephemeral stack', () => {
    for (const { DeletionPolicy } of bucketsOf(synthesised({ ephemeral: 'true' })))
      expect(DeletionPolicy).toBe('Delete');
  });

  it('does not exist with keyword search only', () => {
    // Synthesised once, because the test of findings has the same configuration.
    const stack = synthesised({ content: 'bucket', search: 'keywords', allowPrivateEndpoints: 'true' });

    expect(bucketsOf(stack)).toEqual([]);
    expect(stack.functions.flatMap(({ actions }) => actions).filter(each => each.startsWith('s3vectors:'))).toEqual([]);
  });
});

describe('the local embedder', () => {
  /** Excludes the CDK's layers. */
  const layersOf = ({ all }: Synthesised) =>
    all.filter(
      ([, { Type, Properties }]) => Type === 'AWS::Lambda::LayerVersion' && Properties.Description.startsWith('Parley'),
    );
  const layered = ({ functions }: Synthesised) => functions.filter(({ properties }) => properties.Layers);

  it('is in one layer, and only the functions that embed have the layer and its memory', () => {
    const stack = synthesised({ memoryMb: '256' });

    expect(layersOf(stack)).toHaveLength(1);
    expect(
      layered(stack)
        .map(({ description }) => description)
        .sort(),
    ).toEqual(EMBEDDING);
    for (const { properties } of layered(stack)) {
      expect(properties.Environment.Variables.EMBEDDINGS).toBe('local');
      expect(properties.MemorySize).toBeGreaterThanOrEqual(1_769);
    }
  });

  it.each(['bedrock', 'keywords'])('is not deployed with search=%s', search => {
    const stack = synthesised({ search });

    expect(layersOf(stack)).toEqual([]);
    expect(layered(stack)).toEqual([]);
  });
});

describe('the settings of the embedding model', () => {
  it.each<Record<string, string>>([
    { embeddings: 'cohere.embed-multilingual-v3' },
    { embeddingsPrice: '0.1' },
    { embeddings: 'cohere.embed-multilingual-v3', search: 'keywords' },
  ])('require search=bedrock: %o', context => {
    expect(() => settingsOf(new App({ context }))).toThrow(/requires search=bedrock/);
  });

  it('is required by search=transformers, except for the price', () => {
    const context = { search: 'transformers', embeddings: 'Xenova/multilingual-e5-small' };

    expect(settingsOf(new App({ context }))).toMatchObject(context);
    expect(() => settingsOf(new App({ context: { search: 'transformers' } }))).toThrow(/requires embeddings/);
    expect(() => settingsOf(new App({ context: { ...context, embeddingsPrice: '1' } }))).toThrow(
      /embeddingsPrice requires search=bedrock/,
    );
  });

  it('selects the Bedrock model and its price', () => {
    const context = { search: 'bedrock', embeddings: 'cohere.embed-multilingual-v3', embeddingsPrice: '0.1' };

    expect(settingsOf(new App({ context }))).toMatchObject({ ...context, embeddingsPrice: 0.1 });
  });
});

describe('a function that searches or indexes', () => {
  const { stack, functions } = synthesised();
  const template = () => Template.fromStack(stack.node.findChild('Vectors') as Stack).toJSON();
  const using = functions.filter(({ properties }) => properties.Environment?.Variables?.VECTORS);

  it('receives the names of all buckets in numerical order', () => {
    expect(template().Outputs.BucketNames.Value).toEqual({
      'Fn::Join': [
        ',',
        numbers.map(i => ({
          'Fn::Select': [1, { 'Fn::Split': ['/', { 'Fn::GetAtt': [`Bucket${i}`, 'VectorBucketArn'] }] }],
        })),
      ],
    });
    expect(using.map(({ description }) => description).sort()).toEqual([...EMBEDDING, 'sweepDeleted'].sort());
    for (const { properties } of using) {
      const { VECTORS } = properties.Environment.Variables;
      expect(VECTORS['Fn::Join'][1][0]).toBe('s3:');
      expect(JSON.stringify(VECTORS['Fn::Join'][1][1])).toMatch(/Outputs\.?BucketNames"/);
    }
  });

  it('fits the names into its environment', () => {
    const names = numbers.map(() => 'x'.repeat(NAME_LENGTH)).join(',');

    expect(Buffer.byteLength(`s3:${names}`)).toBeLessThan(ENVIRONMENT_BYTES / 3);
  });

  it('can access only the indexes of these buckets, through a policy shared with other roles', () => {
    const indexes = numbers.map(i => ({
      'Fn::Join': ['', [{ 'Fn::GetAtt': [`Bucket${i}`, 'VectorBucketArn'] }, '/index/*']],
    }));

    for (const { description, shared, statements } of using) {
      expect(shared, description).toEqual([{ Effect: 'Allow', Action: expect.any(Array), Resource: indexes }]);
      expect(JSON.stringify(statements), description).not.toContain('s3vectors:');
    }
  });

  it("has policies within IAM's limits, with names of any length", () => {
    const arn = `arn:aws-us-gov:s3vectors:ap-southeast-1:123456789012:bucket/${'x'.repeat(NAME_LENGTH)}/index/*`;
    const policies = Object.values<{ Type: string; Properties: { PolicyDocument: { Statement: object[] } } }>(
      template().Resources,
    ).filter(({ Type }) => Type === 'AWS::IAM::ManagedPolicy');

    expect(policies).toHaveLength(3);
    for (const { Properties } of policies) {
      const { Statement } = Properties.PolicyDocument;
      const resolved = Statement.map(each => ({ ...each, Resource: numbers.map(() => arn) }));
      expect(JSON.stringify({ Version: '2012-10-17', Statement: resolved }).length).toBeLessThan(MANAGED_POLICY_LENGTH);
    }
  });
});
