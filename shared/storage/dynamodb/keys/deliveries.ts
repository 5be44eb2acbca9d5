/**
 * Keys of endpoints and paused conversations. `[@<webhook>]` is only present for the destination of an installation
 * (`destinations.ts`).
 *
 * | access pattern                         | index | pk                         | sk                         |
 * |----------------------------------------|-------|----------------------------|----------------------------|
 * | breaker before an endpoint             | table | <bot>#endpoint[@<webhook>] | breaker                    |
 * | slow calls of the endpoint             | table | <bot>#endpoint[@<webhook>] | call#<call>                |
 * | conversations that are being resumed   | table | <bot>#endpoint[@<webhook>] | drain#<conversation>       |
 * | latest requested retry                 | table | <bot>#endpoint[@<webhook>] | retry                      |
 * | timer of paused conversations            | table | <bot>#endpoint[@<webhook>] | due#held                   |
 * | paused conversation                      | table | <bot>#held                 | [<webhook>#]<conversation> |
 * | paused conversations by next attempt     | gsi1  | <bot>#held[@<webhook>]     | <time>#<conversation>      |
 * | paused conversations, longest paused first | gsi2  | <bot>#held[@<webhook>]     | <time>#<conversation>      |
 * | destinations with pending deliveries   | table | <integration>#waiting      | <destination>              |
 */
import {
  type Destination,
  destinationOf,
  parseDestination,
} from '#shared/storage/dynamodb/partitioning/destinations.ts';
import { timedSk } from './lists.ts';
import { ANY_BOT, type Key, type Partitions, splitPk } from './table.ts';
import { timerKey } from './timers.ts';

const ENDPOINT = 'endpoint';

export const deliveryPartitions = {
  endpoints: [`${ANY_BOT}#${ENDPOINT}`, `${ANY_BOT}#${ENDPOINT}@*`],
  pausedConversations: [`${ANY_BOT}#held`, `${ANY_BOT}#held@*`],
  pendingDestinations: ['intver_*#waiting'],
} as const satisfies Partitions;

const pkOf = (destination: Destination, name: string) => {
  const { botId, webhookId } = parseDestination(destination);
  return `${botId}#${destinationOf(name, webhookId)}`;
};

export const endpointPk = (destination: Destination) => pkOf(destination, ENDPOINT);

export const breakerSk = 'breaker';

export const breakerKey = (destination: Destination): Key => ({ pk: endpointPk(destination), sk: breakerSk });

export const slowCallPrefix = 'call#';

export const slowCallKey = (destination: Destination, callId: string): Key => ({
  pk: endpointPk(destination),
  sk: `${slowCallPrefix}${callId}`,
});

export const resumePrefix = 'drain#';

export const resumeKey = (destination: Destination, conversationId: string): Key => ({
  pk: endpointPk(destination),
  sk: `${resumePrefix}${conversationId}`,
});

export const retryKey = (destination: Destination): Key => ({ pk: endpointPk(destination), sk: 'retry' });

/** One partition for all destinations of a bot, so that the bot's deletion includes former installations. */
export const pausedPk = (botId: string) => `${botId}#held`;

const CONVERSATION = 'convo_';

export const pausedPrefix = (destination: Destination): string => {
  const { webhookId } = parseDestination(destination);
  return webhookId === undefined ? CONVERSATION : `${webhookId}#`;
};

/** @param conversationId from the events' ids, which contain one even for events without a conversation */
export const pausedKey = (destination: Destination, conversationId: string): Key => {
  const { botId, webhookId } = parseDestination(destination);
  return { pk: pausedPk(botId), sk: webhookId === undefined ? conversationId : `${webhookId}#${conversationId}` };
};

export const conversationOfPaused = (sk: string) => sk.slice(sk.lastIndexOf('#') + 1);

export const pendingDestinationsPk = (integrationId: string) => `${integrationId}#waiting`;

export const pendingDestinationKey = (integrationId: string, destination: Destination): Key => ({
  pk: pendingDestinationsPk(integrationId),
  sk: destination,
});

export const pausedListPk = (destination: Destination) => pkOf(destination, 'held');

export const pausedListing = (
  destination: Destination,
  { conversationId, nextMs, sinceMs }: { conversationId: string; nextMs: number; sinceMs: number },
) => ({
  gsiPk: pausedListPk(destination),
  gsi1Sk: timedSk(nextMs, conversationId),
  gsi2Sk: timedSk(sinceMs, conversationId),
});

/** Subject of the destination's timer. No item has this key. */
export const wakeupSubject = (destination: Destination): Key => ({ pk: endpointPk(destination), sk: 'held' });

export const wakeupKey = (destination: Destination): Key => timerKey(wakeupSubject(destination));

export function destinationOfWakeup({ pk, sk }: Key): Destination | undefined {
  const { botId, id } = splitPk(pk);
  const destination = botId + id.slice(ENDPOINT.length);
  const key = wakeupKey(destination);
  return key.pk === pk && key.sk === sk ? destination : undefined;
}
