/**
 * Ids by which a write recognizes itself. The SDK retries after a lost response, and the retry would fail its own
 * condition or add twice. Puts and updates use separate attributes, so that an update does not hide a put. Transactions
 * have their own token, and deletions leave no item.
 */
import type { PutCommandInput, UpdateCommandInput } from '@aws-sdk/lib-dynamodb';
import { randomText } from '#shared/core/ids.ts';

type Item = Record<string, unknown>;
type Put = Pick<PutCommandInput, 'Item'>;
type Update = Pick<UpdateCommandInput, 'UpdateExpression' | 'ConditionExpression' | 'ExpressionAttributeValues'>;

const PUT_MARK = 'writeId';
const UPDATE_MARK = 'updateId';
export const WRITE_IDS: readonly string[] = [PUT_MARK, UPDATE_MARK];
const UPDATE_VALUE = ':updateId';
/** Unique among the writes of one item within seconds. */
const MARK_LENGTH = 10;

export const withPutId = <P extends Put>(put: P): P => ({
  ...put,
  Item: { ...put.Item, [PUT_MARK]: randomText(MARK_LENGTH) },
});

/** The mark also rejects retries of updates without a condition, such as additions. */
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
