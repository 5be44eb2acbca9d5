/** Maps a DynamoDB call to its IAM actions with their partition keys and attributes. */
import { TABLE_SHAPE } from '#shared/storage/dynamodb/keys/table.ts';

export interface TableAction {
  action: string;
  /** Partition keys of all items, because IAM evaluates an action as a whole. */
  keys: string[];
  attributes: string[];
}

type Value = string | { S: string };
type Item = Record<string, Value>;

interface Expressions {
  UpdateExpression?: string;
  ConditionExpression?: string;
  KeyConditionExpression?: string;
  ExpressionAttributeNames?: Record<string, string>;
  ExpressionAttributeValues?: Record<string, Value>;
}

type ItemCall = Expressions & { Key?: Item; Item?: Item };
type Writing = { PutRequest?: { Item: Item }; DeleteRequest?: { Key: Item } };

const ACTIONS = { Put: 'PutItem', Update: 'UpdateItem', Delete: 'DeleteItem', ConditionCheck: 'ConditionCheckItem' };

export function tableActionsOf(commandName: string, input: object): TableAction[] {
  switch (commandName.replace(/Command$/, '')) {
    case 'Get':
    case 'GetItem':
      return [actionOn('GetItem', [input])];
    case 'Put':
    case 'PutItem':
      return [actionOn('PutItem', [input])];
    case 'Update':
    case 'UpdateItem':
      return [actionOn('UpdateItem', [input])];
    case 'Delete':
    case 'DeleteItem':
      return [actionOn('DeleteItem', [input])];
    case 'Query':
      return [{ action: 'dynamodb:Query', keys: [queriedKey(input)], attributes: [] }];
    case 'Scan':
      return [{ action: 'dynamodb:Scan', keys: [], attributes: [] }];
    case 'BatchGet':
    case 'BatchGetItem': {
      const { RequestItems } = input as { RequestItems: Record<string, { Keys: Item[] }> };
      const calls = Object.values(RequestItems).flatMap(({ Keys }) => Keys.map(Key => ({ Key })));
      return [actionOn('BatchGetItem', calls)];
    }
    case 'TransactGet':
    case 'TransactGetItems': {
      const { TransactItems } = input as { TransactItems: { Get: { Key: Item } }[] };
      return [
        actionOn(
          'GetItem',
          TransactItems.map(({ Get: { Key } }) => ({ Key })),
        ),
      ];
    }
    case 'BatchWrite':
    case 'BatchWriteItem': {
      const { RequestItems } = input as { RequestItems: Record<string, Writing[]> };
      const calls = Object.values(RequestItems)
        .flat()
        .map(({ PutRequest, DeleteRequest }) => PutRequest ?? DeleteRequest!);
      return [actionOn('BatchWriteItem', calls)];
    }
    case 'TransactWrite':
    case 'TransactWriteItems': {
      const { TransactItems } = input as { TransactItems: Partial<Record<keyof typeof ACTIONS, ItemCall>>[] };
      return (Object.keys(ACTIONS) as (keyof typeof ACTIONS)[]).flatMap(kind => {
        const calls = TransactItems.flatMap(item => item[kind] ?? []);
        return calls.length > 0 ? [actionOn(ACTIONS[kind], calls)] : [];
      });
    }
    default:
      throw new Error(`No role allows ${commandName}.`);
  }
}

const textOf = (value: Value) => (typeof value === 'string' ? value : value.S);

function actionOn(name: string, calls: readonly ItemCall[]): TableAction {
  const items = calls.map(({ Key, Item }) => (Key ?? Item)!);
  return {
    action: `dynamodb:${name}`,
    keys: items.map(item => textOf(item[TABLE_SHAPE.partitionKey]!)),
    attributes: [...items.flatMap(item => Object.keys(item)), ...calls.flatMap(namedAttributes)],
  };
}

const KEYWORDS =
  /^(SET|ADD|REMOVE|DELETE|AND|OR|NOT|BETWEEN|IN|attribute_\w+|if_not_exists|begins_with|contains|size|list_append)$/;

function namedAttributes(call: ItemCall): string[] {
  const text = `${call.UpdateExpression ?? ''} ${call.ConditionExpression ?? ''}`;
  return [...text.matchAll(/(?<![:\w#])#?[A-Za-z]\w*/g)]
    .map(([word]) => call.ExpressionAttributeNames?.[word] ?? word)
    .filter(word => !KEYWORDS.test(word));
}

function queriedKey({ KeyConditionExpression = '', ExpressionAttributeValues = {} }: Expressions): string {
  const placeholder = KeyConditionExpression.match(/^#?\w+ = (:\w+)/)?.[1];
  return textOf(ExpressionAttributeValues[placeholder ?? '']!);
}
