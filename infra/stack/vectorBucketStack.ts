/**
 * Vector buckets with generated names, which never conflict with retained buckets. The nested stack has one output for
 * all names, so that other stacks need one parameter.
 */
import { CfnOutput, Fn, NestedStack, RemovalPolicy } from 'aws-cdk-lib';
import { ManagedPolicy, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { CfnVectorBucket } from 'aws-cdk-lib/aws-s3vectors';
import type { Construct } from 'constructs';
import { settingsOf } from '#infra/settings/settingsOf.ts';
import { VECTOR_BUCKETS } from '#shared/ai/vectorStores/vectorBuckets.ts';

const READS = ['s3vectors:QueryVectors', 's3vectors:GetVectors'];
const REMOVES = ['s3vectors:DeleteVectors', 's3vectors:DeleteIndex'];
const WRITES = [...READS, 's3vectors:CreateIndex', 's3vectors:PutVectors', ...REMOVES];
const NAMES = 'BucketNames';

export type VectorUse = 'searches' | 'writes' | 'removes';

export class Vectors extends NestedStack {
  readonly bucketNames: string;
  /** Managed policies, because the inline policies of a role have a limit of 10,240 characters. */
  readonly policies: Record<VectorUse, ManagedPolicy>;

  constructor(scope: Construct, id: string) {
    super(scope, id, { description: 'Parley: vector buckets' });
    const removalPolicy = settingsOf(this).ephemeral ? RemovalPolicy.DESTROY : RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE;
    const arns = Array.from({ length: VECTOR_BUCKETS }, (_, i) => {
      const bucket = new CfnVectorBucket(this, `Bucket${i}`);
      bucket.applyRemovalPolicy(removalPolicy);
      return bucket.attrVectorBucketArn;
    });
    const resources = arns.map(arn => `${arn}/index/*`);
    const policy = (name: string, actions: string[]) =>
      new ManagedPolicy(this, name, { statements: [new PolicyStatement({ actions, resources })] });
    this.policies = {
      searches: policy('SearchPolicy', READS),
      writes: policy('WritePolicy', WRITES),
      removes: policy('RemovePolicy', REMOVES),
    };
    // arn:aws:s3vectors:<region>:<account>:bucket/<name>
    const names = arns.map(arn => Fn.select(1, Fn.split('/', arn)));
    new CfnOutput(this, NAMES, { value: Fn.join(',', names) });
    this.bucketNames = this.nestedStackResource!.getAtt(`Outputs.${NAMES}`).toString();
  }
}
