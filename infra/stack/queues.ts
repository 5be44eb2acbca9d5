import { Duration } from 'aws-cdk-lib';
import { DeduplicationScope, FifoThroughputLimit, Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { QUEUES, type QueueName, visibilitySecondsOf } from '#shared/storage/queues/queueSettings.ts';

/** High-throughput FIFO: the limit applies to each message group instead of the whole queue. */
const FIFO = {
  fifo: true,
  deduplicationScope: DeduplicationScope.MESSAGE_GROUP,
  fifoThroughputLimit: FifoThroughputLimit.PER_MESSAGE_GROUP_ID,
};
const RETENTION = Duration.days(14);

export class Queues extends Construct {
  readonly named: Record<QueueName, Queue>;
  /** Stream records that no consumer could process. */
  readonly failedChanges: Queue;

  constructor(scope: Construct, id: string) {
    super(scope, id);
    const names = Object.keys(QUEUES) as QueueName[];
    this.named = Object.fromEntries(names.map(name => [name, this.jobQueue(name)])) as Record<QueueName, Queue>;
    this.failedChanges = this.deadLetterQueue('FailedChanges');
  }

  get uploads(): Queue {
    return this.named.uploads;
  }

  private jobQueue(name: QueueName): Queue {
    const { maxReceives, isInOrder } = QUEUES[name];
    const id = `${name[0]!.toUpperCase()}${name.slice(1)}`;
    return new Queue(this, id, {
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      visibilityTimeout: Duration.seconds(visibilitySecondsOf(name)),
      retentionPeriod: RETENTION,
      deadLetterQueue: { queue: this.deadLetterQueue(`Failed${id}`, isInOrder), maxReceiveCount: maxReceives },
      ...(isInOrder ? FIFO : {}),
    });
  }

  private deadLetterQueue(id: string, isInOrder = false): Queue {
    return new Queue(this, id, {
      ...(isInOrder ? { fifo: true } : {}),
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      retentionPeriod: RETENTION,
    });
  }
}
