/** Builds stream records from items, in the form in which Lambda delivers them. */
import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import type { DynamoDBRecord } from 'aws-lambda';
import type { Item } from '#shared/dynamodb/query.ts';

let sequence = 10n ** 24n;

/** Returns the record of a change. Without `before` the item is new; without `after` it is removed. */
export function streamRecord(before: Item | undefined, after: Item | undefined): DynamoDBRecord {
  const { pk, sk } = (after ?? before)!;
  return {
    eventName: !before ? 'INSERT' : after ? 'MODIFY' : 'REMOVE',
    dynamodb: {
      ApproximateCreationDateTime: Math.floor(Date.now() / 1000),
      SequenceNumber: String(++sequence),
      Keys: imageOf({ pk, sk }),
      ...(before ? { OldImage: imageOf(before) } : {}),
      ...(after ? { NewImage: imageOf(after) } : {}),
    },
  };
}

/** Returns the record of an item that DynamoDB removes at the end of its time to live. */
export const expiryRecord = (before: Item): DynamoDBRecord => ({
  ...streamRecord(before, undefined),
  userIdentity: { type: 'Service', principalId: 'dynamodb.amazonaws.com' },
});

type Image = NonNullable<DynamoDBRecord['dynamodb']>['NewImage'];

const imageOf = (item: Item): Image => {
  const image = marshall(item, { removeUndefinedValues: true });
  return Object.fromEntries(Object.entries(image).map(([name, value]) => [name, withText(value)])) as Image;
};

/** Lambda delivers bytes in base64. */
const withText = (value: AttributeValue): unknown => (value.B ? { B: Buffer.from(value.B).toString('base64') } : value);
