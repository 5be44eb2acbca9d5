/** Where everything is kept: the one table, the bucket for what is too big for it, and the queues. */
import { Aws, Duration, RemovalPolicy } from 'aws-cdk-lib';
import { AttributeType, Billing, ProjectionType, StreamViewType, TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { BlockPublicAccess, Bucket, BucketEncryption, type CfnBucket, HttpMethods } from 'aws-cdk-lib/aws-s3';
import { DeduplicationScope, FifoThroughputLimit, Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import type { QueueName } from '#shared/queues/settings.ts';
import { TABLE_SHAPE } from '#shared/dynamodb/keys/table.ts';
import { BODIES_PREFIX, FILES_PREFIX } from '#shared/s3/prefixes.ts';
import { ContentDistribution } from './contentDistribution.ts';
import { type Model, modelFrom } from './model.ts';
import { QUEUES } from './queueSettings.ts';
import { type Search, searchFrom } from './search.ts';

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
  /** How files are searched. */
  readonly search: Search;
  /** Who fills in columns of tables. */
  readonly model: Model;
  /** Where the contents of files are read; straight from the bucket if that is undefined. */
  readonly contentBaseUrl: string | undefined;
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

    this.queues = {
      sweeps: this.jobs('Sweeps', QUEUES.sweeps),
      timers: this.jobs('Timers', QUEUES.timers),
      deliveries: this.jobs('Deliveries', QUEUES.deliveries),
      uploads: this.jobs('Uploads', QUEUES.uploads),
      indexing: this.jobs('Indexing', QUEUES.indexing),
      tableJobs: this.jobs('TableJobs', QUEUES.tableJobs),
      rows: this.jobs('Rows', QUEUES.rows),
    };

    this.bucket = new Bucket(this, 'Bucket', {
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      encryption: BucketEncryption.S3_MANAGED,
      enforceSSL: true,
      // Bodies wait a day to be named in a request.
      lifecycleRules: [
        { prefix: BODIES_PREFIX, expiration: Duration.days(1) },
        // What a killed function left behind; an export takes no day.
        { abortIncompleteMultipartUploadAfter: Duration.days(2) },
      ],
      // Browsers upload files straight to it.
      cors: [
        {
          allowedOrigins: ['*'],
          allowedMethods: [HttpMethods.PUT, HttpMethods.GET, HttpMethods.HEAD],
          allowedHeaders: ['*'],
          exposedHeaders: ['ETag'],
          maxAge: 3600,
        },
      ],
      removalPolicy,
    });

    this.tellOfUploads();

    this.search = searchFrom(this);
    this.model = modelFrom(this);
    this.contentBaseUrl = contentBaseUrlFrom(this, this.bucket);
    this.arePrivateEndpointsAllowed = this.node.tryGetContext('allowPrivateEndpoints') === 'true';
    this.failedChanges = this.deadLetters('FailedChanges');
  }

  /**
   * The bucket says on a queue what was uploaded. Written out, because the construct's own way takes a function that
   * changes the bucket after it was made; S3 may send for this account, as naming the bucket would make a circle.
   */
  private tellOfUploads(): void {
    const { uploads } = this.queues;
    uploads.addToResourcePolicy(
      new PolicyStatement({
        principals: [new ServicePrincipal('s3.amazonaws.com')],
        actions: ['sqs:SendMessage'],
        resources: [uploads.queueArn],
        conditions: { StringEquals: { 'aws:SourceAccount': Aws.ACCOUNT_ID } },
      }),
    );
    const bucket = this.bucket.node.defaultChild as CfnBucket;
    bucket.notificationConfiguration = {
      queueConfigurations: [
        {
          event: 's3:ObjectCreated:*',
          queue: uploads.queueArn,
          filter: { s3Key: { rules: [{ name: 'prefix', value: FILES_PREFIX }] } },
        },
      ],
    };
    // S3 tries at once whether it may.
    bucket.node.addDependency(uploads.node.findChild('Policy'));
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

/** The context `content`: `distribution` (the default), or `bucket` where there is no CloudFront. */
const contentBaseUrlFrom = (scope: Construct, bucket: Bucket) =>
  scope.node.tryGetContext('content') === 'bucket'
    ? undefined
    : new ContentDistribution(scope, 'Content', { bucket }).baseUrl;
