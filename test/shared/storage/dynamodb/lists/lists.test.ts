/**
 * Tests the property of all lists that insertions and deletions between pages neither omit nor repeat other records,
 * and preserve the order.
 */

import { beforeAll, describe, expect, inject, it } from 'vitest';
import { localCredentials } from '#infra/local/localPlatform.ts';
import { ensureTable } from '#infra/local/services/ensureTable.ts';
import { clock } from '#shared/core/clock.ts';
import { environment, VARIABLES } from '#shared/core/environment.ts';
import { newConversationId, randomText } from '#shared/core/ids.ts';
import {
  newConversation,
  putNewConversation,
  taggedConversation,
} from '#shared/storage/dynamodb/chat/conversations.ts';
import { removeAll } from '#shared/storage/dynamodb/engine/partitionCleanup.ts';
import { write } from '#shared/storage/dynamodb/engine/transaction.ts';
import { conversationKey } from '#shared/storage/dynamodb/keys/chat.ts';
import { botList, type Direction, pageOfList, type Range, timeRange } from '#shared/storage/dynamodb/lists/lists.ts';
import { listNarrowest } from '#shared/storage/dynamodb/tags/tagLookup.ts';
import { tagWrites } from '#shared/storage/dynamodb/tags/tags.ts';
import fc from '#test/support/fastCheck.ts';
import { ownRegion } from '#test/support/ownRegion.ts';

beforeAll(async () => {
  Object.assign(process.env, localCredentials(ownRegion()), {
    AWS_ENDPOINT_URL_DYNAMODB: inject('dynamodbEndpoint'),
    [VARIABLES.tableName]: `lists-${clock.now()}`,
  });
  await ensureTable(inject('dynamodbEndpoint'), environment.tableName);
});

/** Few distinct times, so that many records share one. */
const time = fc.integer({ min: 1_700_000_000_000, max: 1_700_000_000_007 });
const TAGS = { color: 'red' };

const plan = fc.record({
  before: fc.array(time, { maxLength: 24 }),
  /** Changes after each page: times of new records, and indexes of deleted ones. */
  between: fc.array(
    fc.record({ inserted: fc.array(time, { maxLength: 3 }), deleted: fc.array(fc.nat(100), { maxLength: 3 }) }),
    { maxLength: 8 },
  ),
  pageSize: fc.integer({ min: 1, max: 7 }),
  direction: fc.constantFrom<Direction>('asc', 'desc'),
});

type Source = (botId: string, range: Range) => AsyncIterable<{ sortKey: string; record: string | undefined }>;

const SOURCES: Record<string, Source> = {
  'of a bot, by creation': (botId, range) => idsOf(botList(botId, 'conversations', 'gsi1', range)),
  'of a bot, by update': (botId, range) => idsOf(botList(botId, 'conversations', 'gsi2', range)),
  'of a tag': async function* (botId, range) {
    for await (const { sortKey, id } of listNarrowest(botId, 'conversation', TAGS, range))
      yield { sortKey, record: id };
  },
};

async function* idsOf(list: AsyncIterable<{ sortKey: string; item: Record<string, unknown> }>) {
  for await (const { sortKey, item } of list) yield { sortKey, record: String(item.id) };
}

async function add(botId: string, ms: number): Promise<string> {
  const conversation = newConversation(
    { id: newConversationId(ms), webhookId: '', integration: '', channel: 'c', tags: TAGS },
    ms,
  );
  const tags = await tagWrites(botId, taggedConversation(conversation), TAGS);
  await write([putNewConversation(botId, conversation), ...tags]);
  return conversation.id;
}

describe.each(Object.entries(SOURCES))('the list %s', (name, source) => {
  it('does not lose or repeat a record', async () => {
    await fc.assert(
      fc.asyncProperty(plan, async ({ before, between, pageSize, direction }) => {
        const botId = randomText(20);
        const created = new Map<string, number>();
        const make = async (ms: number) => created.set(await add(botId, ms), ms);
        for (const ms of before) await make(ms);
        const stayed = new Set(created.keys());
        const shown: string[] = [];

        let after: string | undefined;
        for (let page = 0; ; page++) {
          const range = { direction, ...timeRange(undefined, undefined), after };
          const { records, next } = await pageOfList(source(botId, range), pageSize);
          shown.push(...records);
          expect(records.length).toBeLessThanOrEqual(pageSize);
          if (next === undefined) break;
          after = next;
          const { inserted, deleted } = between[page] ?? { inserted: [], deleted: [] };
          for (const ms of inserted) await make(ms);
          const ids = [...stayed];
          for (const nth of deleted) {
            const id = ids[nth % Math.max(1, ids.length)];
            // Tag entries are removed by the stream's consumer; index entries go with the item.
            if (id === undefined || name === 'of a tag') continue;
            stayed.delete(id);
            await removeAll([conversationKey(botId, id)]);
          }
        }

        expect(new Set(shown).size).toBe(shown.length);
        for (const id of stayed) expect(shown).toContain(id);
        const times = shown.map(id => created.get(id)!);
        expect(times).toEqual([...times].sort((a, b) => (direction === 'asc' ? a - b : b - a)));
      }),
      { numRuns: 25 },
    );
  });
});

it('ends a page early if a filter leaves it empty, and continues there', async () => {
  async function* nothingWanted() {
    for (let i = 0; i < 2_500; i++) yield { sortKey: String(i).padStart(5, '0'), record: undefined };
  }

  const page = await pageOfList(nothingWanted(), 5);

  expect(page).toEqual({ records: [], next: '00999' });
});
