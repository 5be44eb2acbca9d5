import { clock } from '#shared/core/clock.ts';
import { mapConcurrently } from '#shared/core/concurrency.ts';
import { startCatchUp } from '#shared/events/delivery/catchUp.ts';
import { usableInstallation } from '#shared/events/delivery/deliveryAddress.ts';
import { retryPaused } from '#shared/events/delivery/wakePendingDeliveries.ts';
import { addressOf, addressOfBot, isReachable, targetOf } from '#shared/outbound/code/callTarget.ts';
import { signalInstallation } from '#shared/outbound/installations/signalWebhook.ts';
import { type Bot, parseBot } from '#shared/storage/dynamodb/bots/bots.ts';
import { forgetEndpoint } from '#shared/storage/dynamodb/delivery/endpointState.ts';
import { listPendingDestinations } from '#shared/storage/dynamodb/delivery/pendingDestinations.ts';
import type { StreamChange } from '#shared/storage/dynamodb/engine/streamChange.ts';
import { type Integration, parseIntegration } from '#shared/storage/dynamodb/integrations/integrations.ts';
import { destinationOf } from '#shared/storage/dynamodb/partitioning/destinations.ts';
import { enqueueDelivery } from '#shared/storage/queues/deliveryJobs.ts';
import { hooksOf } from './hooksOf.ts';

/** Calls the hooks of changed installations, and retries or forgets the deliveries of changed endpoints. */
export async function onBotChanged({ botId, before, after }: StreamChange): Promise<void> {
  const parse = (item: Record<string, unknown>) => (item.id === undefined ? undefined : parseBot(item));
  const [was, is] = [parse(before), parse(after)];
  if (was) await onTargetsChanged(was, is?.deletedAtMs === undefined ? is : undefined);
  for (const hook of await hooksOf(was, is)) {
    const alias = hook.installation?.alias ?? '';
    const once = `${botId}#${hook.version}#${hook.hook}#${alias}`;
    await enqueueDelivery({ kind: 'hook', botId, ...hook }, { group: `${botId}#hooks#${alias}`, once });
  }
}

async function onTargetsChanged(was: Bot, is: Bot | undefined): Promise<void> {
  if (is && isElsewhere(was, is)) await retryPaused(was.id);
  if (is && isReachable(is) && !isReachable(was)) await startCatchUp(is);
  for (const { webhookId } of was.installations) {
    const recipient = recipientOf(was, webhookId);
    if (recipient === undefined || (is && recipientOf(is, webhookId) === recipient)) continue;
    const destination = destinationOf(was.id, webhookId);
    // A retry ignores an uninstalled integration's deliveries. The sweep of a deleted bot deletes them.
    await (is ? retryPaused(destination) : forgetEndpoint(destination));
  }
}

/** Changes when an installation ends, and when the webhook of a chat moves. */
const recipientOf = (bot: Bot, webhookId: string): string | undefined =>
  signalInstallation(bot, webhookId)?.signalUrlHash ?? usableInstallation(bot, webhookId)?.webhookId;

/** Destinations that are retried immediately when an integration's address changes. The rest wait for their pause. */
const DESTINATIONS_LIMIT = 100;
const CONCURRENT_DESTINATIONS = 10;

export async function onIntegrationChanged({ before, after }: StreamChange): Promise<void> {
  if (before.id === undefined || after.id === undefined) return;
  const [was, is] = [parseIntegration(before), parseIntegration(after)];
  const address = (integration: Integration) => {
    const target = targetOf('integration', integration);
    return target && addressOf(target);
  };
  if (address(was) === address(is) && isReachable(was) === isReachable(is)) return;
  const destinations = await listPendingDestinations(is.id, clock.now(), DESTINATIONS_LIMIT);
  await mapConcurrently(destinations, CONCURRENT_DESTINATIONS, retryPaused);
}

const isElsewhere = (was: Bot, is: Bot) =>
  addressOfBot(was) !== addressOfBot(is) || isReachable(was) !== isReachable(is);
