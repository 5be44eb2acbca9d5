/**
 * Keys of deliveries: what is known of a bot's endpoint, and what waits for it.
 *
 * | access pattern                          | index | pk             | sk                      |
 * |-----------------------------------------|-------|----------------|-------------------------|
 * | breaker before a bot's endpoint         | table | <bot>#endpoint | breaker                 |
 * | slow calls of the endpoint              | table | <bot>#endpoint | call#<call>             |
 * | conversations that are being drained    | table | <bot>#endpoint | drain#<conversation>    |
 * | timer of what waits for the endpoint    | table | <bot>#endpoint | due#held                |
 * | held conversation                       | table | <bot>#held     | <conversation>          |
 * | held conversations by their next try    | gsi1  | <bot>#held     | <time>#<conversation>   |
 * | held conversations, longest held first  | gsi2  | <bot>#held     | <time>#<conversation>   |
 */
import { timedSk } from './lists.ts';
import { ANY_BOT, type Key, type Partitions } from './table.ts';
import { timerKey } from './timers.ts';

export const deliveryPartitions = {
  endpoints: [`${ANY_BOT}#endpoint`],
  held: [`${ANY_BOT}#held`],
} as const satisfies Partitions;

export const endpointPk = (botId: string) => `${botId}#endpoint`;

export const breakerSk = 'breaker';

export const breakerKey = (botId: string): Key => ({ pk: endpointPk(botId), sk: breakerSk });

export const slowCallPrefix = 'call#';

export const slowCallKey = (botId: string, callId: string): Key => ({
  pk: endpointPk(botId),
  sk: `${slowCallPrefix}${callId}`,
});

export const drainPrefix = 'drain#';

export const drainKey = (botId: string, conversationId: string): Key => ({
  pk: endpointPk(botId),
  sk: `${drainPrefix}${conversationId}`,
});

export const heldPk = (botId: string) => `${botId}#held`;

/** @param conversationId the one in the ids of the held events; events without a conversation have one of their own */
export const heldKey = (botId: string, conversationId: string): Key => ({ pk: heldPk(botId), sk: conversationId });

/** The index attributes of a held conversation: by its next try in gsi1, by how long it has been held in gsi2. */
export const heldListing = (
  botId: string,
  { conversationId, nextMs, sinceMs }: { conversationId: string; nextMs: number; sinceMs: number },
) => ({
  gsiPk: heldPk(botId),
  gsi1Sk: timedSk(nextMs, conversationId),
  gsi2Sk: timedSk(sinceMs, conversationId),
});

/** What the timer of a bot's held conversations is about. There is no such item. */
export const heldTimerSubject = (botId: string): Key => ({ pk: endpointPk(botId), sk: 'held' });

export const heldTimerKey = (botId: string): Key => timerKey(heldTimerSubject(botId));
