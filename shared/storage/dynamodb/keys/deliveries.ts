/**
 * Keys of deliveries: what is known of an endpoint, and what waits for it. `[@<webhook>]` is there in the lane of an
 * installation, and absent in that of the bot itself, see `lanes.ts`.
 *
 * | access pattern                          | index | pk                         | sk                         |
 * |-----------------------------------------|-------|----------------------------|----------------------------|
 * | breaker before an endpoint              | table | <bot>#endpoint[@<webhook>] | breaker                    |
 * | slow calls of the endpoint              | table | <bot>#endpoint[@<webhook>] | call#<call>                |
 * | conversations that are being drained    | table | <bot>#endpoint[@<webhook>] | drain#<conversation>       |
 * | timer of what waits for the endpoint    | table | <bot>#endpoint[@<webhook>] | due#held                   |
 * | held conversation                       | table | <bot>#held                 | [<webhook>#]<conversation> |
 * | held conversations by their next try    | gsi1  | <bot>#held[@<webhook>]     | <time>#<conversation>      |
 * | held conversations, longest held first  | gsi2  | <bot>#held[@<webhook>]     | <time>#<conversation>      |
 * | lanes that wait for an integration      | table | <integration>#waiting      | <lane>                     |
 */
import { type Lane, laneOf, parseLane } from '#shared/storage/dynamodb/lanes.ts';
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

/** All lanes of a bot: what an uninstalled integration left goes with the bot. */
export const heldPk = (botId: string) => `${botId}#held`;

const CONVERSATION = 'convo_';

/** What the sort keys of a lane's held conversations begin with. */
export const heldPrefix = (lane: Lane): string => {
  const { webhookId } = parseLane(lane);
  return webhookId === undefined ? CONVERSATION : `${webhookId}#`;
};

/** @param conversationId the one in the ids of the held events; events without a conversation have one of their own */
export const heldKey = (lane: Lane, conversationId: string): Key => {
  const { botId, webhookId } = parseLane(lane);
  return { pk: heldPk(botId), sk: webhookId === undefined ? conversationId : `${webhookId}#${conversationId}` };
};

/** The conversation in the sort key of a held one. */
export const conversationOfHeld = (sk: string) => sk.slice(sk.lastIndexOf('#') + 1);

export const waitingPk = (integrationId: string) => `${integrationId}#waiting`;

export const waitingKey = (integrationId: string, lane: Lane): Key => ({ pk: waitingPk(integrationId), sk: lane });

/** The index partition of a lane's held conversations. */
export const heldListPk = (lane: Lane) => inLane(lane, 'held');

/** The index attributes of a held conversation: by its next try in gsi1, by how long it has been held in gsi2. */
export const heldListing = (
  lane: Lane,
  { conversationId, nextMs, sinceMs }: { conversationId: string; nextMs: number; sinceMs: number },
) => ({
  gsiPk: heldListPk(lane),
  gsi1Sk: timedSk(nextMs, conversationId),
  gsi2Sk: timedSk(sinceMs, conversationId),
});

/** What the timer of a lane's held conversations is about. There is no such item. */
export const heldTimerSubject = (lane: Lane): Key => ({ pk: endpointPk(lane), sk: 'held' });

export const heldTimerKey = (lane: Lane): Key => timerKey(heldTimerSubject(lane));

/** The lane whose held conversations a timer is about; undefined for any other timer. */
export function laneOfHeldTimer({ pk, sk }: Key): Lane | undefined {
  const { botId, id } = splitPk(pk);
  const lane = botId + id.slice(ENDPOINT.length);
  const key = heldTimerKey(lane);
  return key.pk === pk && key.sk === sk ? lane : undefined;
}
