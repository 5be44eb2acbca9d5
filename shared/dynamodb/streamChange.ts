/** What the table's stream tells of an item. */
import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { DynamoDBRecord } from 'aws-lambda';
import { splitPk } from '#shared/dynamodb/keys/table.ts';

export interface StreamChange {
  event: DynamoDBRecord['eventName'];
  /** Greater than those of all earlier changes of the partition; a number of many digits. */
  sequenceNumber: string;
  /** When it happened, to the second. */
  atMs: number;
  pk: string;
  sk: string;
  /** What stands first in the partition's key: of what belongs to a bot, the bot. */
  botId: string;
  /** What follows it. */
  id: string;
  /** The item's attributes; none of what was not there. */
  before: Record<string, unknown>;
  after: Record<string, unknown>;
}

export function parseStreamChange({ eventName, dynamodb }: DynamoDBRecord): StreamChange {
  const plain = (image: object | undefined) => unmarshall((image ?? {}) as Parameters<typeof unmarshall>[0]);
  const { pk, sk } = plain(dynamodb?.Keys) as { pk: string; sk: string };
  return {
    event: eventName,
    sequenceNumber: dynamodb!.SequenceNumber!,
    atMs: (dynamodb!.ApproximateCreationDateTime ?? 0) * 1000,
    pk,
    sk,
    ...splitPk(pk),
    before: plain(dynamodb?.OldImage),
    after: plain(dynamodb?.NewImage),
  };
}
