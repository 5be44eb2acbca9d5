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

const PUT_ATTRIBUTE = 'writeId';
const UPDATE_ATTRIBUTE = 'updateId';
export const WRITE_IDS: readonly string[] = [PUT_ATTRIBUTE, UPDATE_ATTRIBUTE];
const UPDATE_VALUE = ':updateId';
/** Update expressions start with this clause, if they have one. DynamoDB rejects a second one. */
const SET = 'SET ';
/** Unique among the writes of one item within seconds. */
const ID_LENGTH = 10;

export const withPutId = <P extends Put>(put: P): P => ({
  ...put,
  Item: { ...put.Item, [PUT_ATTRIBUTE]: randomText(ID_LENGTH) },
});

/** The id also rejects retries of updates without a condition, such as additions. */
export const withUpdateId = <U extends Update>(update: U) => {
  const { UpdateExpression = '', ConditionExpression, ExpressionAttributeValues } = update;
  const assignment = `${UPDATE_ATTRIBUTE} = ${UPDATE_VALUE}`;
  const isOther = `(attribute_not_exists(${UPDATE_ATTRIBUTE}) OR ${UPDATE_ATTRIBUTE} <> ${UPDATE_VALUE})`;
  return {
    ...update,
    UpdateExpression: UpdateExpression.startsWith(SET)
      ? `${SET}${assignment}, ${UpdateExpression.slice(SET.length)}`
      : `${SET}${assignment} ${UpdateExpression}`,
    ConditionExpression: ConditionExpression ? `(${ConditionExpression}) AND ${isOther}` : isOther,
    ExpressionAttributeValues: { ...ExpressionAttributeValues, [UPDATE_VALUE]: randomText(ID_LENGTH) },
  };
};

export const isWrittenByPut = (existing: Item | undefined, { Item = {} }: Put) =>
  existing !== undefined && existing[PUT_ATTRIBUTE] === Item[PUT_ATTRIBUTE] && Item[PUT_ATTRIBUTE] !== undefined;

export const isWrittenByUpdate = (existing: Item | undefined, { ExpressionAttributeValues = {} }: Update) =>
  existing !== undefined && existing[UPDATE_ATTRIBUTE] === ExpressionAttributeValues[UPDATE_VALUE];
