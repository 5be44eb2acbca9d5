/** Where everything is kept: the one table, the bucket for what is too big for it, and the queue of sweeps. */
import { Duration, RemovalPolicy } from 'aws-cdk-lib';
import { AttributeType, Billing, ProjectionType, StreamViewType, TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { BlockPublicAccess, Bucket, BucketEncryption } from 'aws-cdk-lib/aws-s3';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { BODIES } from '../shared/storage/uploads.ts';
import { TABLE_SHAPE } from '../shared/table/keys.ts';

/** A sweep works up to this long; the queue hides its job meanwhile. */
export const SWEEP_TIMEOUT = Duration.minutes(5);

export class Storage extends Construct {
  readonly table: TableV2;
  readonly bucket: Bucket;
  readonly sweeps: Queue;
  /** Changes of the table that no reaction could deal with. */
  readonly failedChanges: Queue;

  /** @param isEphemeral whether the data goes with the stack, as in a rehearsal; else it stays when the stack goes */
  constructor(scope: Construct, id: string, { isEphemeral }: { isEphemeral: boolean }) {
    super(scope, id);
    const removalPolicy = isEphemeral ? RemovalPolicy.DESTROY : RemovalPolicy.RETAIN;
    const { partitionKey, sortKey, timeToLive, indexes } = TABLE_SHAPE;
    const text = (name: string) => ({ name, type: AttributeType.STRING });

    this.table = new TableV2(this, 'Table', {
      partitionKey: text(partitionKey),
      sortKey: text(sortKey),
      globalSecondaryIndexes: Object.entries(indexes).map(([indexName, index]) => ({
        indexName,
        partitionKey: text(index.partitionKey),
        sortKey: text(index.sortKey),
        projectionType: ProjectionType.ALL,
      })),
      billing: Billing.onDemand(),
      timeToLiveAttribute: timeToLive,
      dynamoStream: StreamViewType.NEW_AND_OLD_IMAGES,
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
      removalPolicy,
    });

    this.bucket = new Bucket(this, 'Bucket', {
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      encryption: BucketEncryption.S3_MANAGED,
      enforceSSL: true,
      // Bodies wait a day to be named in a request.
      lifecycleRules: [{ prefix: BODIES, expiration: Duration.days(1) }],
      removalPolicy,
    });

    this.sweeps = new Queue(this, 'Sweeps', {
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      visibilityTimeout: Duration.seconds(SWEEP_TIMEOUT.toSeconds() * 6),
      deadLetterQueue: { queue: this.deadLetters('FailedSweeps'), maxReceiveCount: 5 },
    });
    this.failedChanges = this.deadLetters('FailedChanges');
  }

  private deadLetters(id: string): Queue {
    return new Queue(this, id, {
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      retentionPeriod: Duration.days(14),
    });
  }
}
