/** Where everything is kept: the one table, the bucket for what is too big for it, and the queues. */
import { Duration, RemovalPolicy } from 'aws-cdk-lib';
import { AttributeType, Billing, ProjectionType, StreamViewType, TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { BlockPublicAccess, Bucket, BucketEncryption } from 'aws-cdk-lib/aws-s3';
import { DeduplicationScope, FifoThroughputLimit, Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import type { QueueName } from '../shared/reaction.ts';
import { BODIES } from '../shared/storage/uploads.ts';
import { TABLE_SHAPE } from '../shared/table/keys.ts';
import { QUEUES } from './queueSettings.ts';

/** As many a second as there are groups for. */
const IN_ORDER = {
  fifo: true,
  deduplicationScope: DeduplicationScope.MESSAGE_GROUP,
  fifoThroughputLimit: FifoThroughputLimit.PER_MESSAGE_GROUP_ID,
};

export class Storage extends Construct {
  readonly table: TableV2;
  readonly bucket: Bucket;
  readonly queues: Record<QueueName, Queue>;
  /** The context `allowPrivateEndpoints`: bots and integrations may be within the operator's own network. */
  readonly arePrivateEndpointsAllowed: boolean;
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

    this.queues = {
      sweeps: this.jobs('Sweeps', QUEUES.sweeps),
      due: this.jobs('Due', QUEUES.due),
      deliveries: this.jobs('Deliveries', QUEUES.deliveries),
    };
    this.arePrivateEndpointsAllowed = this.node.tryGetContext('allowPrivateEndpoints') === 'true';
    this.failedChanges = this.deadLetters('FailedChanges');
  }

  /** A queue of jobs for a function; those that fail too often are parked. */
  private jobs(id: string, { maxReceives, timeoutSeconds, isInOrder }: (typeof QUEUES)[QueueName]): Queue {
    return new Queue(this, id, {
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      visibilityTimeout: Duration.seconds(timeoutSeconds * 2),
      retentionPeriod: Duration.days(14),
      deadLetterQueue: { queue: this.deadLetters(`Failed${id}`, isInOrder), maxReceiveCount: maxReceives },
      ...(isInOrder ? IN_ORDER : {}),
    });
  }

  private deadLetters(id: string, isInOrder = false): Queue {
    return new Queue(this, id, {
      ...(isInOrder ? { fifo: true } : {}),
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      retentionPeriod: Duration.days(14),
    });
  }
}
