/**
 * Marks by which a write recognises itself. The SDK sends a call again whose answer got lost; the repetition would be
 * refused by its own condition, or add twice. So a write leaves a random id in the item, and one that was sent again
 * and refused had taken effect if the item carries its id. Puts and updates use two attributes: an update in between
 * hides no put.
 *
 * Transactions need no mark, because DynamoDB recognises their repetition by a token, and neither do deletions, after
 * which there is no item. Comparing the item itself would not do: bytes come back as another object, and two callers
 * may write the same.
 */
import type { PutCommandInput, UpdateCommandInput } from '@aws-sdk/lib-dynamodb';
import { randomText } from '#shared/core/ids.ts';

type Item = Record<string, unknown>;
type Put = Pick<PutCommandInput, 'Item'>;
type Update = Pick<UpdateCommandInput, 'UpdateExpression' | 'ConditionExpression' | 'ExpressionAttributeValues'>;

const PUT_MARK = 'writeId';
const UPDATE_MARK = 'updateId';
/** They mean nothing a few seconds later. */
export const WRITE_IDS: readonly string[] = [PUT_MARK, UPDATE_MARK];
const UPDATE_VALUE = ':updateId';
/** Unique among the writes of one item within seconds. */
const MARK_LENGTH = 10;

export const withPutId = <P extends Put>(put: P): P => ({
  ...put,
  Item: { ...put.Item, [PUT_MARK]: randomText(MARK_LENGTH) },
});

/** An update without a condition of its own, such as an addition, is refused the second time by its mark. */
export const withUpdateId = <U extends Update>(update: U) => {
  const { UpdateExpression = '', ConditionExpression, ExpressionAttributeValues } = update;
  const set = `SET ${UPDATE_MARK} = ${UPDATE_VALUE}`;
  const isUnmarked = `(attribute_not_exists(${UPDATE_MARK}) OR ${UPDATE_MARK} <> ${UPDATE_VALUE})`;
  return {
    ...update,
    UpdateExpression: /\bSET /.test(UpdateExpression)
      ? UpdateExpression.replace(/\bSET /, `${set}, `)
      : `${set} ${UpdateExpression}`,
    ConditionExpression: ConditionExpression ? `(${ConditionExpression}) AND ${isUnmarked}` : isUnmarked,
    ExpressionAttributeValues: { ...ExpressionAttributeValues, [UPDATE_VALUE]: randomText(MARK_LENGTH) },
  };
};

export const isWrittenByPut = (existing: Item | undefined, { Item = {} }: Put) =>
  existing !== undefined && existing[PUT_MARK] === Item[PUT_MARK] && Item[PUT_MARK] !== undefined;

export const isWrittenByUpdate = (existing: Item | undefined, { ExpressionAttributeValues = {} }: Update) =>
  existing !== undefined && existing[UPDATE_MARK] === ExpressionAttributeValues[UPDATE_VALUE];
