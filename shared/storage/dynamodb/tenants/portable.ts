/** What of an item makes sense in another installation. What this leaves out, the other installation makes anew. */

import { orderOfEvent } from '#shared/storage/dynamodb/chat/events.ts';
import { eventListing, outgoingListing } from '#shared/storage/dynamodb/keys/chat.ts';
import { splitPk } from '#shared/storage/dynamodb/keys/table.ts';
import type { Item } from '#shared/storage/dynamodb/query.ts';
import { WRITE_IDS } from '#shared/storage/dynamodb/writeIds.ts';

/**
 * Marks an item that was imported: the consumers of the stream ignore its creation, see `consumers/runReactions.ts`.
 */
export const IMPORTED = 'im';

/** Why an event failed that waited for its delivery as it was exported. */
const NOT_DELIVERED = 'It waited for its delivery when it was exported. Replay it to deliver it.';

const without = (item: Item, ...names: string[]): Item =>
  Object.fromEntries(Object.entries(item).filter(([name]) => !names.includes(name)));

/**
 * Attributes that belong to an installation: positions in the stream of its table, snapshots, functions of deployed
 * code. Counters that only tell concurrent changes apart start anew, because deploying code counts as a change.
 */
const RULES: Record<string, (item: Item, botId: string) => Item | undefined> = {
  conversation: item => (item.deletedAtMs === undefined ? without(item, 'countedTo') : undefined),
  user: item => (item.endingAtMs === undefined ? item : undefined),
  bot: item => ({ ...withoutFunction(item), version: 1 }),
  integration: item => ({ ...withoutFunction(item), revision: 1 }),
  // Deployed code gets a key of its own with each deployment.
  token: item => (item.deployment === undefined ? item : undefined),
  totals: item => (item.hasEnded ? undefined : without(item, 'turn')),
  table: item => without(item, 'loggedSinceMs'),
  tableIds: item => without(item, 'revision', 'latestSnapshot'),
  tableCounts: item => Object.fromEntries(Object.entries(item).filter(([name]) => !/^to\d+$/.test(name))),
  event: (item, botId) => {
    if (item.status !== 'pending') return item;
    const failed = { id: item.id, status: 'failed', position: orderOfEvent(item.id).position.replace(/t$/, '') };
    const { gsi2Sk } = eventListing(botId, failed);
    return { ...item, status: 'failed', failureReason: NOT_DELIVERED, gsi2Sk };
  },
  // Those that went out are a log of the platform's own, which nobody can read.
  outgoing: (item, botId) => {
    if (item.status === 'failed') return item;
    if (item.status !== 'pending') return undefined;
    const listing = outgoingListing(botId, { id: item.id, createdAtMs: item.createdAtMs });
    return { ...item, status: 'failed', failureReason: NOT_DELIVERED, ...listing };
  },
};

const withoutFunction = ({ rollout, ...item }: Item): Item => ({
  ...without(item, 'running'),
  ...(rollout ? { rollout: without(rollout, 'failure', 'revokesKeys') } : {}),
});

/** The item as another installation takes it; undefined for one that it does not. */
export function toPortable(kind: string, item: Item): Item | undefined {
  const own = without(item, IMPORTED, ...WRITE_IDS);
  const rule = RULES[kind];
  return rule ? rule(own, splitPk(own.pk).botId) : own;
}
