/** Builds stream records from items, in the form in which Lambda delivers them. */

import { marshall } from '@aws-sdk/util-dynamodb';
import type { DynamoDBRecord } from 'aws-lambda';
import { asLambdaRecord } from '#infra/local/services/streams.ts';
import { clock } from '#shared/core/clock.ts';
import type { Item } from '#shared/storage/dynamodb/engine/query.ts';

let sequence = 10n ** 24n;

/** Returns the record of a change. Without `before` the item is new; without `after` it is removed. */
export function streamRecord(before: Item | undefined, after: Item | undefined): DynamoDBRecord {
  const { pk, sk } = (after ?? before)!;
  return asLambdaRecord({
    eventName: !before ? 'INSERT' : after ? 'MODIFY' : 'REMOVE',
    dynamodb: {
      ApproximateCreationDateTime: new Date(clock.now()),
      SequenceNumber: String(++sequence),
      Keys: imageOf({ pk, sk }),
      ...(before ? { OldImage: imageOf(before) } : {}),
      ...(after ? { NewImage: imageOf(after) } : {}),
    },
  });
}

/** Returns the record of an item that DynamoDB removes at the end of its time to live. */
export const expiryRecord = (before: Item): DynamoDBRecord => ({
  ...streamRecord(before, undefined),
  userIdentity: { type: 'Service', principalId: 'dynamodb.amazonaws.com' },
});

const imageOf = (item: Item) => marshall(item, { removeUndefinedValues: true });
