/**
 * Keys of endpoints and held conversations. `[@<webhook>]` is only present in the lane of an installation (`lanes.ts`).
 *
 * | access pattern                         | index | pk                         | sk                         |
 * |----------------------------------------|-------|----------------------------|----------------------------|
 * | breaker before an endpoint             | table | <bot>#endpoint[@<webhook>] | breaker                    |
 * | slow calls of the endpoint             | table | <bot>#endpoint[@<webhook>] | call#<call>                |
 * | conversations that are being drained   | table | <bot>#endpoint[@<webhook>] | drain#<conversation>       |
 * | timer of held conversations            | table | <bot>#endpoint[@<webhook>] | due#held                   |
 * | held conversation                      | table | <bot>#held                 | [<webhook>#]<conversation> |
 * | held conversations by next attempt     | gsi1  | <bot>#held[@<webhook>]     | <time>#<conversation>      |
 * | held conversations, longest held first | gsi2  | <bot>#held[@<webhook>]     | <time>#<conversation>      |
 * | lanes with pending deliveries          | table | <integration>#waiting      | <lane>                     |
 */
import { type Lane, laneOf, parseLane } from '#shared/storage/dynamodb/partitioning/destinations.ts';
import { timedSk } from './lists.ts';
import { ANY_BOT, type Key, type Partitions, splitPk } from './table.ts';
import { timerKey } from './timers.ts';

const ENDPOINT = 'endpoint';

export const deliveryPartitions = {
  endpoints: [`${ANY_BOT}#${ENDPOINT}`, `${ANY_BOT}#${ENDPOINT}@*`],
  held: [`${ANY_BOT}#held`, `${ANY_BOT}#held@*`],
  waitingLanes: ['intver_*#waiting'],
} as const satisfies Partitions;

const inLane = (lane: Lane, name: string) => {
  const { botId, webhookId } = parseLane(lane);
  return `${botId}#${laneOf(name, webhookId)}`;
};

export const endpointPk = (lane: Lane) => inLane(lane, ENDPOINT);

export const breakerSk = 'breaker';

export const breakerKey = (lane: Lane): Key => ({ pk: endpointPk(lane), sk: breakerSk });

export const slowCallPrefix = 'call#';

export const slowCallKey = (lane: Lane, callId: string): Key => ({
  pk: endpointPk(lane),
  sk: `${slowCallPrefix}${callId}`,
});

export const drainPrefix = 'drain#';

export const drainKey = (lane: Lane, conversationId: string): Key => ({
  pk: endpointPk(lane),
  sk: `${drainPrefix}${conversationId}`,
});

/** One partition for all lanes of a bot, so that the bot's deletion includes former installations. */
export const heldPk = (botId: string) => `${botId}#held`;

const CONVERSATION = 'convo_';

export const heldPrefix = (lane: Lane): string => {
  const { webhookId } = parseLane(lane);
  return webhookId === undefined ? CONVERSATION : `${webhookId}#`;
};

/** @param conversationId the one in the events' ids, which events without a conversation have as well */
export const heldKey = (lane: Lane, conversationId: string): Key => {
  const { botId, webhookId } = parseLane(lane);
  return { pk: heldPk(botId), sk: webhookId === undefined ? conversationId : `${webhookId}#${conversationId}` };
};

export const conversationOfHeld = (sk: string) => sk.slice(sk.lastIndexOf('#') + 1);

export const waitingPk = (integrationId: string) => `${integrationId}#waiting`;

export const waitingKey = (integrationId: string, lane: Lane): Key => ({ pk: waitingPk(integrationId), sk: lane });

export const heldListPk = (lane: Lane) => inLane(lane, 'held');

export const heldListing = (
  lane: Lane,
  { conversationId, nextMs, sinceMs }: { conversationId: string; nextMs: number; sinceMs: number },
) => ({
  gsiPk: heldListPk(lane),
  gsi1Sk: timedSk(nextMs, conversationId),
  gsi2Sk: timedSk(sinceMs, conversationId),
});

/** Subject of the lane's timer. No item has this key. */
export const heldTimerSubject = (lane: Lane): Key => ({ pk: endpointPk(lane), sk: 'held' });

export const heldTimerKey = (lane: Lane): Key => timerKey(heldTimerSubject(lane));

export function laneOfHeldTimer({ pk, sk }: Key): Lane | undefined {
  const { botId, id } = splitPk(pk);
  const lane = botId + id.slice(ENDPOINT.length);
  const key = heldTimerKey(lane);
  return key.pk === pk && key.sk === sk ? lane : undefined;
}
