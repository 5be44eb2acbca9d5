/**
 * Runs each reaction in a role with only its own declaration, for every kind of item and change that its filter admits.
 * The consumer's role would hide a missing permission that another reaction has. `reachedPartitions.test.ts` covers
 * keys from builders; this test covers keys from changes.
 */
import { SQSClient } from '@aws-sdk/client-sqs';
import type { DynamoDBRecord } from 'aws-lambda';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Access } from '#infra/bundle/functionAccess.ts';
import { inRole, rejections } from '#infra/local/services/tableGuard.ts';
import { clock } from '#shared/core/clock.ts';
import { mapConcurrently } from '#shared/core/concurrency.ts';
import { requestReindexing } from '#shared/domain/transfer/requestReindexing.ts';
import { matches, type StreamFilter } from '#shared/events/consumers/filters.ts';
import type { Reaction } from '#shared/events/consumers/reaction.ts';
import { removeAll } from '#shared/storage/dynamodb/engine/partitionCleanup.ts';
import type { Item } from '#shared/storage/dynamodb/engine/query.ts';
import { parseStreamChange, type StreamChange } from '#shared/storage/dynamodb/engine/streamChange.ts';
import { write } from '#shared/storage/dynamodb/engine/transaction.ts';
import { claimDeadLetter, putDeadLetter } from '#shared/storage/dynamodb/maintenance/deadLetters.ts';
import { recordImport } from '#shared/storage/dynamodb/tenants/imports.ts';
import { kindOf } from '#shared/storage/dynamodb/tenants/itemKinds.ts';
import { accessOfReaction, streamConsumers } from '#test/support/entryPoints.ts';
import { fullWorkspace } from '#test/support/fullWorkspace.ts';
import { settled, usePlatform } from '#test/support/platform.ts';
import { expiryRecord, streamRecord } from '#test/support/streamRecords.ts';
import { scanItems } from '#test/support/tableItems.ts';

usePlatform();

/** Items of a complete tenant by kind, those with the most attributes first. */
let kinds: Map<string, Item[]>;

beforeAll(async () => {
  const { workspace, bot, user } = await fullWorkspace();
  await workspace.call('POST', `/workspaces/${workspace.id}/exports`, { body: {} });
  await recordImport(workspace.id, { checksum: '', files: 1 });
  await requestReindexing(workspace.id, false);
  await settled();
  // An erasure exists only for a moment.
  const erasure = { pk: `${bot.id}#${user.id}`, sk: 'erasure', userId: user.id, untilMs: clock.now() };
  const ofTenants = ((await scanItems()) as Item[]).filter(({ pk }) => !/^(?:(?:staged|rate)#|migrations$)/.test(pk));
  // Exists while a member is connected.
  const connected = { pk: `${workspace.id}#live`, sk: 'connectedMember#1', accountId: user.id, connectedAtMs: 1 };
  const items: Item[] = [...ofTenants, erasure, connected];
  const size = (item: Item) => Object.keys(item).length;
  kinds = Map.groupBy(
    items.sort((a, b) => size(b) - size(a)),
    item => kindOf(item).kind,
  );
  // Suppresses jobs, which would cause other consumers to change the tenant.
  vi.spyOn(SQSClient.prototype, 'send').mockImplementation(async () => ({}));
});
afterAll(() => vi.restoreAllMocks());

const reactions = streamConsumers.flatMap(consumer =>
  consumer.reactions.map(reaction => ({ name: reaction.name, reaction, access: accessOfReaction(consumer, reaction) })),
);

interface Filter {
  dynamodb: {
    Keys?: { sk: { S: (string | { prefix: string })[] } };
    OldImage?: Image;
    NewImage?: Image;
  };
}
type Image = Record<string, Partial<Record<'S' | 'N', unknown[]>>>;

/** Returns the item with the attributes that a filter requires. Any item may have them. */
function withAttributes(filter: StreamFilter, item: Item): Item {
  const { OldImage, NewImage } = (filter as unknown as Filter).dynamodb;
  const added = Object.entries({ ...OldImage, ...NewImage }).map(([name, { S, N }]) => {
    const [value] = (S ?? N)!;
    return [name, typeof value === 'string' ? value : N ? 1 : 'files/none'];
  });
  return { ...Object.fromEntries(added), ...item };
}

const without = (item: Item, name: string): Item =>
  Object.fromEntries(Object.entries(item).filter(([each]) => each !== name)) as Item;

/** Attributes that records acquire later. */
const LATER = {
  ...{ deletedAtMs: 1, endingAtMs: 1, isErased: true, doneAtMs: 1, by: 'bot', status: 'pending', replays: 1, dueMs: 1 },
  ...{ url: 'http://127.0.0.1:2', tags: {}, t: {}, installations: [] },
};

const lifetimeOf = (item: Item): DynamoDBRecord[] => [
  streamRecord(undefined, item),
  streamRecord(item, item),
  streamRecord(item, undefined),
  expiryRecord(item),
];

/** Returns changes that add and remove each attribute of an item, and some others. */
const changesOf = (item: Item): DynamoDBRecord[] => [
  ...Object.keys(item)
    .filter(name => name !== 'pk' && name !== 'sk')
    .flatMap(name => [streamRecord(without(item, name), item), streamRecord(item, without(item, name))]),
  ...Object.entries(LATER).flatMap(([name, value]) => [
    streamRecord(item, { ...item, [name]: value }),
    streamRecord({ ...item, [name]: value }, item),
  ]),
];

const ITEMS_OF_A_KIND = 5;

/** Returns the records of each kind of item that match a filter. */
const admitted = (filter: StreamFilter): DynamoDBRecord[] =>
  [...kinds.values()].flatMap(([first, ...others]) => {
    const fitted = (item: Item) => withAttributes(filter, item);
    const records = [
      ...lifetimeOf(fitted(first!)),
      ...changesOf(fitted(first!)),
      ...others.slice(0, ITEMS_OF_A_KIND - 1).flatMap(item => lifetimeOf(fitted(item))),
    ];
    return records.filter(each => matches(filter, each));
  });

/** Runs part of a reaction in its role. Returns the denied calls. */
async function refusedTo(name: string, access: Access, run: () => Promise<unknown>): Promise<string[]> {
  // An inconsistent image fails the reaction early.
  await inRole(name, access, run)().catch(() => {});
  return rejections.splice(0);
}

/** The batch size at which `widenLists` acts. */
const MANY = 100;

/** Runs a reaction with all records that its filters admit. Returns the denied calls. */
async function drive({ name, on, groupBy, handle, late }: Reaction, access: Access): Promise<Set<string>> {
  const refused: string[] = [];
  const handleIn = async (changes: readonly StreamChange[]) =>
    void refused.push(...(await refusedTo(name, access, () => handle(changes))));
  for (const filter of on) {
    const changes = admitted(filter).map(parseStreamChange);
    await mapConcurrently(changes, 8, change => handleIn([change]));
    const [first] = changes;
    if (groupBy) await handleIn(Array.from({ length: MANY }, () => first!));
    if (!late) continue;
    const letter = { ...{ id: '0', tenant: first!.botId, consumer: '', task: name, error: '', parkedAtMs: 0 } };
    await write([putDeadLetter({ ...letter, object: '', repeatedBy: '', failures: 0 })]);
    refused.push(...(await refusedTo(name, access, () => late.isDone(first!))));
    refused.push(...(await refusedTo(name, access, () => late.handle(first!, claimDeadLetter(letter)))));
  }
  return new Set(refused);
}

it.each(reactions)('runs $name with every kind of item that its filter names', ({ reaction }) => {
  for (const filter of reaction.on) {
    const keys = admitted(filter).map(({ dynamodb }) => dynamodb!.Keys!.sk!.S!);
    const named = (filter as unknown as Filter).dynamodb.Keys?.sk.S ?? [];
    const isDriven = (rule: (typeof named)[number]) =>
      keys.some(key => (typeof rule === 'string' ? key === rule : key.startsWith(rule.prefix)));

    expect(named.filter(rule => !isDriven(rule))).toEqual([]);
    expect(keys).not.toEqual([]);
  }
});

describe.each(['exists', 'was deleted'])('a reaction while the tenant %s', state => {
  beforeAll(async () => {
    if (state === 'was deleted') await removeAll([...kinds.values()].flat().map(({ pk, sk }) => ({ pk, sk })));
  });

  it.each(reactions)('permits every access of $name', async ({ reaction, access }) => {
    expect([...(await drive(reaction, access))]).toEqual([]);
  });

  it.each(['conversations', 'users', 'workflows'] as const)(
    'denies updateTagEntries %s, unless it declares them',
    async omitted => {
      const { reaction, access } = reactions.find(({ name }) => name === 'updateTagEntries')!;
      const { reads = [], ...others } = reaction.partitions!;
      const partitions = { ...others, reads: reads.filter(domain => domain !== omitted) };

      const [refused] = await drive(reaction, { ...access, partitions });

      expect(refused).toContain('updateTagEntries is not authorized to perform dynamodb:GetItem');
    },
  );
});
