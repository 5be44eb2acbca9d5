import { Aws, Duration, RemovalPolicy } from 'aws-cdk-lib';
import { Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import { AttributeType, Billing, ProjectionType, StreamViewType, TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { BlockPublicAccess, Bucket, BucketEncryption, type CfnBucket, HttpMethods } from 'aws-cdk-lib/aws-s3';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { settingsOf } from '#infra/settings/settingsOf.ts';
import { TABLE_SHAPE } from '#shared/storage/dynamodb/keys/table.ts';
import { RETENTION_DAYS as ARCHIVE_DAYS } from '#shared/storage/dynamodb/tenants/exports.ts';
import { BODIES_PREFIX, EXPORTS_PREFIX, UPLOADS_PREFIX } from '#shared/storage/s3/prefixes.ts';
import { ContentDistribution } from './contentDistribution.ts';

interface DataProps {
  uploads: Queue;
}

export class Data extends Construct {
  readonly table: TableV2;
  readonly bucket: Bucket;
  readonly indexNames = Object.keys(TABLE_SHAPE.indexes);
  readonly contentBaseUrl: string | undefined;

  constructor(scope: Construct, id: string, { uploads }: DataProps) {
    super(scope, id);
    // Deletes both only if their first deployment fails. CloudFormation deletes only empty buckets.
    const removalPolicy = settingsOf(this).ephemeral ? RemovalPolicy.DESTROY : RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE;
    this.table = this.createTable(removalPolicy);
    this.bucket = this.createBucket(removalPolicy);
    notifyOfUploads(this.bucket, uploads);
    this.contentBaseUrl =
      settingsOf(this).content === 'bucket'
        ? undefined
        : new ContentDistribution(this, 'Content', { bucket: this.bucket }).baseUrl;
  }

  tableMetric(metricName: string, index?: string): Metric {
    const { TableName } = this.table.metric(metricName).dimensions!;
    return new Metric({
      namespace: 'AWS/DynamoDB',
      metricName,
      dimensionsMap: { TableName, ...(index ? { GlobalSecondaryIndexName: index } : {}) },
      statistic: Stats.SUM,
      period: Duration.minutes(5),
    });
  }

  private createTable(removalPolicy: RemovalPolicy): TableV2 {
    const { partitionKey, sortKey, timeToLive, indexes } = TABLE_SHAPE;
    const text = (name: string) => ({ name, type: AttributeType.STRING });
    return new TableV2(this, 'Table', {
      partitionKey: text(partitionKey),
      sortKey: text(sortKey),
      globalSecondaryIndexes: Object.entries(indexes).map(([indexName, index]) => ({
        indexName,
        partitionKey: text(index.partitionKey),
        sortKey: text(index.sortKey),
        projectionType: ProjectionType.KEYS_ONLY,
      })),
      billing: Billing.onDemand(),
      timeToLiveAttribute: timeToLive,
      dynamoStream: StreamViewType.NEW_AND_OLD_IMAGES,
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
      removalPolicy,
    });
  }

  private createBucket(removalPolicy: RemovalPolicy): Bucket {
    return new Bucket(this, 'Bucket', {
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      encryption: BucketEncryption.S3_MANAGED,
      enforceSSL: true,
      lifecycleRules: [
        // An uploaded body must be referenced by a request within a day.
        { prefix: BODIES_PREFIX, expiration: Duration.days(1) },
        // Expires uploads that were not accepted because their event was lost. An upload takes two hours at most.
        { prefix: UPLOADS_PREFIX, expiration: Duration.days(3) },
        { prefix: EXPORTS_PREFIX, expiration: Duration.days(ARCHIVE_DAYS) },
        // Aborts multipart uploads of killed functions. An export never takes a day.
        { abortIncompleteMultipartUploadAfter: Duration.days(2) },
      ],
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
  }
}

/** Uses L1, because the CDK's notifications add a custom-resource function. Allows S3 by account to avoid a cycle. */
function notifyOfUploads(bucket: Bucket, uploads: Queue): void {
  uploads.addToResourcePolicy(
    new PolicyStatement({
      principals: [new ServicePrincipal('s3.amazonaws.com')],
      actions: ['sqs:SendMessage'],
      resources: [uploads.queueArn],
      conditions: { StringEquals: { 'aws:SourceAccount': Aws.ACCOUNT_ID } },
    }),
  );
  const resource = bucket.node.defaultChild as CfnBucket;
  resource.notificationConfiguration = {
    queueConfigurations: [
      {
        event: 's3:ObjectCreated:*',
        queue: uploads.queueArn,
        filter: { s3Key: { rules: [{ name: 'prefix', value: UPLOADS_PREFIX }] } },
      },
    ],
  };
  // S3 verifies its permission when the bucket is created.
  resource.node.addDependency(uploads.node.findChild('Policy'));
}
