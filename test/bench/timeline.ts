/** Section `timeline`: a page of messages costs the same in a conversation of any length. */
import { BatchWriteCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { verifyUserKey } from '#shared/api/chat/userKey.ts';
import { openPage } from '#shared/api/steps/openPage.ts';
import { findWebhook } from '#shared/storage/dynamodb/chat/webhooks.ts';
import { documents } from '#shared/storage/dynamodb/engine/client.ts';
import { conversationPk, positionOf, timelinePrefix } from '#shared/storage/dynamodb/keys/chat.ts';
import { call, operationNamed, seedConversation, textMessage } from './calls.ts';
import { type ConversationRef, newMessageItem } from './items.ts';
import { type Cost, metered } from './metered.ts';
import { type Section, times, verdict } from './report.ts';
import { TABLE } from './services.ts';
import { median, shuffled } from './statistics.ts';

const LENGTHS = [100, 1_000, 10_000, 100_000];
const ROUNDS = 60;
const WARM_UP_ROUNDS = 10;
/** One call reads the participant, one the page. */
const BUDGET_CALLS = 2;

const BATCH = 25;
const CONCURRENT_BATCHES = 8;

interface Page {
  length: number;
  name: 'first' | 'middle';
  list: () => Promise<unknown>;
  /** The floor: one query for the same items. */
  bareQuery: () => Promise<unknown>;
  cost: Cost;
  tookMs: number[];
  bareMs: number[];
}

export async function measure(): Promise<Section> {
  const { webhookId, botId, key } = await seedConversation();
  const pages: Page[] = [];
  for (const length of LENGTHS) {
    const { conversation } = await call('createConversation', { webhookId, key, body: {} });
    const place = { webhookId, botId, conversationId: conversation.id as string };
    const { middleSk } = await fill(place, length);
    pages.push(await page(place, key, { length, name: 'first' }));
    pages.push(await page(place, key, { length, name: 'middle', afterSk: middleSk }));
  }

  for (let i = 0; i < WARM_UP_ROUNDS + ROUNDS; i++) {
    for (const { list, bareQuery, tookMs, bareMs } of shuffled(pages)) {
      const listMs = await durationMs(list);
      const queryMs = await durationMs(bareQuery);
      if (i < WARM_UP_ROUNDS) continue;
      tookMs.push(listMs);
      bareMs.push(queryMs);
    }
  }

  return {
    title: 'Timeline',
    measures: `One page of messages, its whole chain in this process, in conversations of different lengths, against one bare query for the same items; medians of ${ROUNDS} interleaved calls.`,
    columns: ['messages', 'page', 'DynamoDB calls', 'read units', 'budget', '', 'ms', '× at 100', 'bare query, ms'],
    rows: pages.map(({ length, name, cost, tookMs, bareMs }) => {
      const least = pages.find(page => page.length === LENGTHS[0] && page.name === name)!;
      return [
        length.toLocaleString('en'),
        name,
        String(cost.calls),
        cost.readUnits.toFixed(1),
        `≤ ${BUDGET_CALLS} calls, units as at 100`,
        verdict(cost.calls <= BUDGET_CALLS && cost.readUnits <= least.cost.readUnits),
        median(tookMs).toFixed(2),
        times(median(tookMs) / median(least.tookMs)),
        median(bareMs).toFixed(2),
      ];
    }),
    notes: ['Calls and units hold on AWS. Times are those of DynamoDB Local, which has an index of its own.'],
  };
}

async function page(
  place: ConversationRef,
  key: string,
  { length, name, afterSk }: Pick<Page, 'length' | 'name'> & { afterSk?: string },
): Promise<Page> {
  const query: Record<string, string> =
    afterSk === undefined ? {} : { nextToken: await tokenAfter(afterSk, place, key) };
  const list = () => call('listMessages', { webhookId: place.webhookId, key, path: [place.conversationId], query });
  const bareQuery = () =>
    documents.send(
      new QueryCommand({
        TableName: TABLE,
        KeyConditionExpression: 'pk = :pk AND sk BETWEEN :first AND :last',
        ExpressionAttributeValues: {
          ':pk': conversationPk(place.botId, place.conversationId),
          ':first': timelinePrefix,
          ':last': afterSk ?? `${timelinePrefix}~`,
        },
        ConsistentRead: true,
        ScanIndexForward: false,
        Limit: 21,
      }),
    );
  // Warm: the webhook is cached.
  await list();
  return { length, name, list, bareQuery, cost: await metered(list), tookMs: [], bareMs: [] };
}

/** Creates a `nextToken` in the middle of a list with the platform's own step, which saves thousands of calls. */
async function tokenAfter(sk: string, { webhookId, conversationId }: ConversationRef, key: string): Promise<string> {
  const webhook = (await findWebhook(webhookId))!;
  const state = { webhook, caller: await verifyUserKey(webhook, key), input: { conversationId } };
  await openPage(operationNamed('listMessages')).before?.({ event: { call: state } } as never);
  return (state as typeof state & { nextToken: (position: string) => string }).nextToken(positionOf(sk));
}

/** Writes items directly in batches, which saves minutes. Returns the sort key in the middle. */
async function fill(place: ConversationRef, length: number): Promise<{ middleSk: string }> {
  const { payload } = textMessage(place.conversationId);
  const sks: string[] = [];
  const batch = (size: number) =>
    Array.from({ length: size }, () => {
      const Item = newMessageItem(place, payload);
      sks.push(Item.sk);
      return { PutRequest: { Item } };
    });
  await Promise.all(
    Array.from({ length: CONCURRENT_BATCHES }, async () => {
      while (sks.length < length) {
        const puts = batch(Math.min(BATCH, length - sks.length));
        const { UnprocessedItems = {} } = await documents.send(
          new BatchWriteCommand({ RequestItems: { [TABLE]: puts } }),
        );
        if (Object.keys(UnprocessedItems).length > 0)
          throw new Error('DynamoDB Local left items of a batch unwritten.');
      }
    }),
  );
  return { middleSk: sks[length / 2]! };
}

async function durationMs(run: () => Promise<unknown>): Promise<number> {
  const startMs = performance.now();
  await run();
  return performance.now() - startMs;
}
