/** Tests the entries by which users are found: their terms, and the reaction to repeated and reordered changes. */
import { describe, expect, it } from 'vitest';
import { reactToTable } from '#functions/events/reactToTable.ts';
import { lambdaContext } from '#infra/local/runtime/lambdaContext.ts';
import { indexUsersByTerm } from '#shared/events/migrations/indexUsersByTerm.ts';
import { removeAll } from '#shared/storage/dynamodb/engine/partitionCleanup.ts';
import { type Item, readItem } from '#shared/storage/dynamodb/engine/query.ts';
import { userKey } from '#shared/storage/dynamodb/keys/chat.ts';
import { userTermKey } from '#shared/storage/dynamodb/keys/userTerms.ts';
import { enqueueTransfer } from '#shared/storage/queues/transferJobs.ts';
import { newBot, settled, type TestBot, useSharedPlatform } from '#test/support/platform.ts';
import { streamRecord } from '#test/support/streamRecords.ts';
import { newUser, termsOf } from '#test/support/userTerms.ts';

useSharedPlatform();

const react = (...changes: [Item | undefined, Item | undefined][]) =>
  reactToTable.handle(
    { Records: changes.map(([before, after]) => streamRecord(before, after)) },
    lambdaContext('reactToTable', 60_000),
  );

async function stored(bot: TestBot, id: string): Promise<Item> {
  return (await readItem(userKey(bot.id, id)))!;
}

describe('the terms of a user', () => {
  it('are the words of the name, addresses, and values of tags and attributes', async () => {
    const bot = await newBot();
    const id = await newUser(bot, {
      name: 'Zoë Müller-Lüdenscheidt',
      tags: { customer: 'K-4711' },
      attributes: { contact: 'Z.Smith@Acme.example', city: 'Köln' },
      properties: { note: 'not indexed', mail: 'zoe@home.example' },
    });
    await settled();

    expect(await termsOf(bot, id)).toEqual(
      ['zoe', 'muller-ludenscheidt', 'ludenscheidt', 'z.smith@acme.example', 'smith', 'zoe@home.example']
        .concat(['k-4711', '4711', 'koln'])
        .sort(),
    );
  });

  it('are the words of the contact first, and of the text about it last', async () => {
    const bot = await newBot();
    const words = Array.from({ length: 40 }, (_, i) => `w${i}`).join(' ');
    const id = await newUser(bot, { name: 'visitor' });
    const contact = { name: 'Ada', email: 'ada.king@example.com', phone: '+44 20', about: words };
    await bot.call('PUT', `/users/${id}/contact`, { body: contact });
    await settled();

    const terms = await termsOf(bot, id);

    expect(terms).toEqual(expect.arrayContaining(['ada', 'ada.king@example.com', 'king', '44', '20', 'visitor', 'w0']));
    expect(terms).toHaveLength(30);
  });

  it('are at most 30 of at most 60 characters', async () => {
    const bot = await newBot();
    const words = Array.from({ length: 40 }, (_, i) => `w${i}`);
    const id = await newUser(bot, { name: `${'é'.repeat(80)} ${words.join(' ')}`.slice(0, 200) });
    await settled();

    const terms = await termsOf(bot, id);

    expect(terms).toHaveLength(30);
    expect(terms).toContain('e'.repeat(60));
  });

  it('are none for a user without a name, tags and attributes', async () => {
    const bot = await newBot();
    const id = await newUser(bot, {});
    await settled();

    expect(await termsOf(bot, id)).toEqual([]);
  });
});

describe('the reaction to a change of a user', () => {
  it('replaces the terms of a former name', async () => {
    const bot = await newBot();
    const id = await newUser(bot, { name: 'Ada Byron' });

    await bot.client.updateUser({ id, name: 'Ada Lovelace' });
    await settled();

    expect(await termsOf(bot, id)).toEqual(['ada', 'lovelace']);
  });

  it('deletes the terms of a deleted user', async () => {
    const bot = await newBot();
    const id = await newUser(bot, { name: 'Ada Byron', tags: { plan: 'gold' } });
    await settled();

    await bot.client.deleteUser({ id });
    await settled();

    expect(await termsOf(bot, id)).toEqual([]);
  });

  it('is idempotent, and ends with the current terms if changes arrive in reverse', async () => {
    const bot = await newBot();
    const id = await newUser(bot, { name: 'First' });
    const one = await stored(bot, id);
    await bot.client.updateUser({ id, name: 'Second' });
    const two = await stored(bot, id);
    await bot.client.updateUser({ id, name: 'First' });
    const three = await stored(bot, id);
    await settled();

    await react([two, three]);
    await react([one, two]);
    await react([undefined, one]);
    await react([one, two], [one, two]);

    expect(await termsOf(bot, id)).toEqual(['first']);
  });

  it('does not restore the terms of a deleted user when the creation arrives late', async () => {
    const bot = await newBot();
    const id = await newUser(bot, { name: 'Ada' });
    const created = await stored(bot, id);
    await bot.client.deleteUser({ id });
    await settled();

    await react([undefined, created]);

    expect(await termsOf(bot, id)).toEqual([]);
  });
});

describe('users without entries', () => {
  const forget = (bot: TestBot, id: string, terms: string[]) =>
    removeAll(terms.map(term => userTermKey(bot.id, term, id)));

  it('are indexed by the migration, which can be repeated', async () => {
    const bot = await newBot();
    const id = await newUser(bot, { name: 'Grace Hopper' });
    await settled();
    await forget(bot, id, ['grace', 'hopper']);
    const migrateAll = async () => {
      let changed = 0;
      for (let cursor: string | undefined, isDone = false; !isDone; ) {
        const step = await indexUsersByTerm.step(cursor);
        changed += step.changed;
        cursor = step.next;
        isDone = cursor === undefined;
      }
      return changed;
    };

    const [first, second] = [await migrateAll(), await migrateAll()];

    expect(await termsOf(bot, id)).toEqual(['grace', 'hopper']);
    expect(second).toBe(first);
  });

  it('are indexed after an import', async () => {
    const bot = await newBot();
    const id = await newUser(bot, { name: 'Grace Hopper' });
    await settled();
    await forget(bot, id, ['grace', 'hopper']);

    await enqueueTransfer({ task: 'rebuild', workspaceId: bot.workspace.id });
    await settled();

    expect(await termsOf(bot, id)).toEqual(['grace', 'hopper']);
  });
});
