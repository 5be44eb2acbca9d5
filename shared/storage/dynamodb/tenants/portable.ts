import { orderOfEvent } from '#shared/storage/dynamodb/chat/events.ts';
import type { Item } from '#shared/storage/dynamodb/engine/query.ts';
import { WRITE_IDS } from '#shared/storage/dynamodb/engine/writeIds.ts';
import { eventListing, outgoingListing } from '#shared/storage/dynamodb/keys/chat.ts';
import { splitPk } from '#shared/storage/dynamodb/keys/table.ts';

/** Marks imported items, whose creation stream consumers ignore (`consumers/runReactions.ts`). */
export const IMPORTED = 'im';

const NOT_DELIVERED = 'Its delivery was pending at the time of the export. Replay it to deliver it.';

const without = (item: Item, ...names: string[]): Item =>
  Object.fromEntries(Object.entries(item).filter(([name]) => !names.includes(name)));

/**
 * Removes attributes specific to an installation, such as stream positions. Versions restart at 1, because deploying
 * after the import increments them.
 */
const RULES: Record<string, (item: Item, botId: string) => Item | undefined> = {
  conversation: item => (item.deletedAtMs === undefined ? without(item, 'countedTo') : undefined),
  user: item => (item.endingAtMs === undefined ? item : undefined),
  bot: item => ({ ...withoutFunction(item), version: 1 }),
  integration: item => ({ ...withoutFunction(item), revision: 1 }),
  // Each deployment creates a key for its code.
  token: item => (item.deployment === undefined ? item : undefined),
  totals: item => (item.hasEnded ? undefined : without(item, 'turn')),
  table: item => without(item, 'loggedSinceMs'),
  tableIds: item => without(item, 'revision', 'latestSnapshot', 'loggedRows', 'loggedFromId'),
  tableCounts: item => Object.fromEntries(Object.entries(item).filter(([name]) => !/^to\d+$/.test(name))),
  event: (item, botId) => {
    if (item.status !== 'pending') return item;
    const failed = { id: item.id, status: 'failed', position: orderOfEvent(item.id).position.replace(/t$/, '') };
    const { gsi2Sk } = eventListing(botId, failed);
    return { ...item, status: 'failed', failureReason: NOT_DELIVERED, gsi2Sk };
  },
  // Delivered outbound messages are an internal log.
  outgoing: (item, botId) => {
    if (item.status === 'failed') return item;
    if (item.status !== 'pending') return undefined;
    const listing = outgoingListing(botId, { id: item.id, createdAtMs: item.createdAtMs });
    return { ...item, status: 'failed', failureReason: NOT_DELIVERED, ...listing };
  },
};

const withoutUndefined = (item: Item): Item =>
  Object.fromEntries(Object.entries(item).filter(([, value]) => value !== undefined));

const withoutFunction = ({ rollout, ...item }: Item): Item => ({
  ...without(item, 'running'),
  // Keeps only the attributes that redeploying the code requires. Other attributes could name resources of the
  // installation.
  ...(rollout ? { rollout: withoutUndefined({ revision: rollout.revision, deployedBy: rollout.deployedBy }) } : {}),
});

export function toPortable(kind: string, item: Item): Item | undefined {
  const own = without(item, IMPORTED, ...WRITE_IDS);
  const rule = RULES[kind];
  return rule ? rule(own, splitPk(own.pk).botId) : own;
}
