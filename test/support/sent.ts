/** Returns the messages that a spy on the SQS client received, single or in batches. */
import type { SendMessageBatchRequestEntry, SQSClient } from '@aws-sdk/client-sqs';
import type { MockInstance } from 'vitest';

type Sent = Partial<SendMessageBatchRequestEntry>;

export const sentBy = (send: MockInstance<SQSClient['send']>): Sent[] =>
  send.mock.calls.flatMap(([{ input }]) => {
    const { Entries, ...single } = input as Sent & { Entries?: Sent[] };
    // Background jobs may postpone themselves meanwhile.
    return Entries ?? (single.MessageBody === undefined ? [] : [single]);
  });
