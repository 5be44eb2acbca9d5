/** What the breaker, the timer and the paused conversations of a destination say about its endpoint. */

import type { EndpointCondition, EndpointStatus } from '#shared/domain/admin/bots/endpointView.ts';
import { addressOf, addressOfBot, isReachable, targetOf } from '#shared/outbound/code/callTarget.ts';
import { isInbox } from '#shared/outbound/installations/inboxInstallation.ts';
import type { Bot } from '#shared/storage/dynamodb/bots/bots.ts';
import { type Installation, isActive } from '#shared/storage/dynamodb/bots/installation.ts';
import { type Breaker, findBreakers } from '#shared/storage/dynamodb/delivery/breakers.ts';
import { findEndpoints } from '#shared/storage/dynamodb/delivery/endpointState.ts';
import { listByNextAttempt } from '#shared/storage/dynamodb/delivery/pausedConversations.ts';
import { findIntegrations, type Integration } from '#shared/storage/dynamodb/integrations/integrations.ts';
import { type Destination, destinationOf } from '#shared/storage/dynamodb/partitioning/destinations.ts';
import { phaseOf } from './breaker.ts';

/** Paused conversations beyond this number are not counted. */
const COUNTED_CONVERSATIONS = 100;

interface Host {
  alias: string | undefined;
  destination: Destination;
  address: string | undefined;
  isReachable: boolean;
}

const HEALTHY: EndpointCondition = { status: 'healthy', failedAttempts: 0 };

function conditionOf(
  { address, isReachable }: Omit<Host, 'destination' | 'alias'>,
  breaker: Breaker | undefined,
): EndpointCondition {
  if (!isReachable) return { ...HEALTHY, status: 'missing' };
  if (address === undefined) return { ...HEALTHY, status: 'deploying' };
  if (!breaker) return HEALTHY;
  const { failures, badEvents, goodEvents, openings, isBroken, downSinceMs, badSinceMs, lastError } = breaker;
  const isOpen = openings > 0;
  if ((isOpen && isBroken) || (failures === 0 && badEvents > goodEvents)) {
    return { status: 'failing', sinceMs: badSinceMs, failedAttempts: badEvents, lastError };
  }
  if (isOpen || failures > 0) {
    return { status: 'unreachable', sinceMs: downSinceMs, failedAttempts: failures, lastError };
  }
  return HEALTHY;
}

const hostOfBot = (bot: Bot): Host => ({
  alias: undefined,
  destination: destinationOf(bot.id, undefined),
  address: addressOfBot(bot),
  isReachable: isReachable(bot),
});

/** Chats without a webhook, and the inbox, have no endpoint. */
const hasEndpoint = (installation: Installation) =>
  isActive(installation) &&
  (installation.signalUrlHash !== undefined || (!installation.isChat && !isInbox(installation)));

function hostOf(bot: Bot, installation: Installation, integration: Integration | undefined): Host {
  const { alias, webhookId, signalUrlHash } = installation;
  const destination = destinationOf(bot.id, webhookId);
  if (signalUrlHash !== undefined) return { alias, destination, address: signalUrlHash, isReachable: true };
  const target = integration && targetOf('integration', integration);
  return {
    ...{ alias, destination, address: target && addressOf(target) },
    isReachable: integration !== undefined && isReachable(integration),
  };
}

/** Returns the destination of an enabled installation with an endpoint, or of the bot. */
export function destinationAt(bot: Bot, alias: string | undefined): Destination | undefined {
  if (alias === undefined) return destinationOf(bot.id);
  const installation = bot.installations.find(each => each.alias === alias && hasEndpoint(each));
  return installation && destinationOf(bot.id, installation.webhookId);
}

/** Returns the bot's endpoint, then those of its enabled installations. */
async function hostsOf(bot: Bot): Promise<Host[]> {
  const installed = bot.installations.filter(hasEndpoint);
  const ids = installed.filter(({ signalUrlHash }) => signalUrlHash === undefined).map(each => each.integrationId);
  const integrations = ids.length === 0 ? new Map<string, Integration>() : await findIntegrations(ids);
  return [hostOfBot(bot), ...installed.map(each => hostOf(bot, each, integrations.get(each.integrationId)))];
}

/** Costs one read unit per endpoint, and a query for each with paused conversations. Eventually consistent. */
export async function listEndpointStatuses(
  bot: Bot,
  nowMs: number,
  aliases?: readonly (string | undefined)[],
): Promise<EndpointStatus[]> {
  const hosts = (await hostsOf(bot)).filter(({ alias }) => aliases === undefined || aliases.includes(alias));
  const found = await findEndpoints(hosts);
  return Promise.all(
    hosts.map(async (host, i) => {
      const { breaker, timerMs } = found[i]!;
      const paused = timerMs === undefined ? [] : await listByNextAttempt(host.destination, COUNTED_CONVERSATIONS);
      const nextMs = phaseOf(breaker, nowMs) === 'open' ? breaker!.openUntilMs : paused[0]?.atMs;
      return {
        alias: host.alias,
        ...conditionOf(host, breaker),
        nextAttemptMs: paused.length === 0 || nextMs === undefined ? undefined : Math.max(nextMs, nowMs),
        pausedConversations: paused.length,
      };
    }),
  );
}

/** Returns the condition of the endpoint of each bot. Costs half a read unit per bot. Eventually consistent. */
export async function findBotConditions(bots: readonly Bot[]): Promise<EndpointCondition[]> {
  const hosts = bots.map(hostOfBot);
  const breakers = await findBreakers(hosts.map(({ destination, address: url }) => ({ destination, url })));
  return hosts.map((host, i) => conditionOf(host, breakers[i]));
}
