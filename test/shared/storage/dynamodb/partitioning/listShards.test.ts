/** Tests that the lists of a bot are in one partition until it grows fast, and then in 16. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { clock } from '#shared/core/clock.ts';
import { derivedConversationId, newConversationId, newUserId, shardOf } from '#shared/core/ids.ts';
import {
  NOTICE_MS,
  rememberListShards,
  rememberWideLists,
  shardFor,
  shardsIn,
  shardsOf,
  WIDE,
} from '#shared/storage/dynamodb/partitioning/listShards.ts';

const IDS = 100_000;
const WRITES_A_SECOND = 1_000;

it.each([
  ['conversations', () => newConversationId()],
  ['conversations of one millisecond', () => newConversationId(1_800_000_000_000)],
  ['conversations of get-or-create', (i: number) => derivedConversationId('bot', 'webhook', 'channel', `${i}`)],
  ['users', () => newUserId()],
])('spreads the %s of a wide bot evenly enough for 5,000 writes a second', (_, newId) => {
  const shards = Array.from({ length: WIDE }, () => 0);

  for (let i = 0; i < IDS; i++) shards[shardOf(newId(i), WIDE)]!++;

  // An id costs one write to gsi1 and three to gsi2: its first activity removes and inserts an entry.
  const busiest = Math.max(...shards) / IDS;
  expect(busiest * 5_000 * 3).toBeLessThan(WRITES_A_SECOND);
  // Random variation between shards is about 1.2 %. Five times that is not random.
  for (const count of shards) expect(Math.abs(count / (IDS / WIDE) - 1)).toBeLessThan(0.065);
});

describe('a process', () => {
  beforeEach(() => void vi.spyOn(clock, 'now').mockReturnValue(1_800_000_000_000));
  afterEach(() => void vi.restoreAllMocks());
  const moveOn = (ms: number) => vi.mocked(clock.now).mockReturnValue(clock.now() + ms);

  const all = Array.from({ length: WIDE }, (_, shard) => shard);
  let bots = 0;
  const newId = () => `bot-${bots++}`;
  /** An id whose wide shard is not the narrow one. */
  const id = 'b';

  it('writes to one partition and reads all before it has read a bot', () => {
    const bot = newId();

    expect(shardOf(id, WIDE)).not.toBe(0);
    expect(shardFor(bot, id)).toBe(0);
    expect(shardsIn(bot)).toEqual(all);
    expect(shardsOf(bot, id)).toEqual([0, shardOf(id, WIDE)]);
  });

  it('reads one partition after it read a narrow bot, and all if the bot may have been widened since', () => {
    const bot = newId();
    rememberListShards({ id: bot });

    expect(shardsIn(bot)).toEqual([0]);
    expect(shardsOf(bot, id)).toEqual([0]);
    moveOn(NOTICE_MS - 1);
    expect(shardsIn(bot)).toEqual(all);
  });

  it('reads all partitions of a bot that is being widened, and writes to them once all processes have read it', () => {
    const bot = newId();
    rememberListShards({ id: bot, wideFromMs: clock.now() + NOTICE_MS });

    expect(shardsIn(bot)).toEqual(all);
    expect(shardFor(bot, id)).toBe(0);
    moveOn(NOTICE_MS);
    expect(shardFor(bot, id)).toBe(shardOf(id, WIDE));
  });

  it('does not treat records of other kinds as proof that a bot is narrow', () => {
    const bot = newId();
    rememberWideLists(bot, undefined);

    expect(shardsIn(bot)).toEqual(all);
  });
});
