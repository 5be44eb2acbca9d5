/** Lists of a bot are sharded by a hash of the id: how evenly, and so how many writes a second they take. */
import { expect, it } from 'vitest';
import { LIST_SHARDS } from '#shared/dynamodb/keys/lists.ts';
import { TAG_SHARDS } from '#shared/dynamodb/keys/tags.ts';
import { derivedConversationId, newConversationId, newUserId, shardOf } from '#shared/ids.ts';

const IDS = 100_000;
const WRITES_A_SECOND = 1_000;

it.each([
  ['conversations', () => newConversationId()],
  ['conversations of one millisecond', () => newConversationId(1_800_000_000_000)],
  ['conversations of get-or-create', (i: number) => derivedConversationId('bot', 'webhook', 'channel', `${i}`)],
  ['users', () => newUserId()],
])('%s spread evenly enough for 5,000 writes a second', (_, newId) => {
  const shards = Array.from({ length: LIST_SHARDS }, () => 0);

  for (let i = 0; i < IDS; i++) shards[shardOf(newId(i), LIST_SHARDS)]!++;

  // Three writes each to the busier of the two indexes: see the arithmetic in keys/lists.ts.
  const busiest = Math.max(...shards) / IDS;
  expect(busiest * 5_000 * 3).toBeLessThan(WRITES_A_SECOND);
  // Chance alone makes shards differ by about 1.2 %; five times that is not chance.
  for (const count of shards) expect(Math.abs(count / (IDS / LIST_SHARDS) - 1)).toBeLessThan(0.065);
});

it('the records with one tag value are sharded too', () => {
  expect(TAG_SHARDS).toBe(LIST_SHARDS);
});
