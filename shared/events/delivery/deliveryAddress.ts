/** Destinations of deliveries: a bot, one of its installed integrations, or the webhook of a chat. */

import { addressOf, addressOfBot, targetOf } from '#shared/outbound/code/callTarget.ts';
import { isInbox } from '#shared/outbound/installations/inboxInstallation.ts';
import { signalInstallation } from '#shared/outbound/installations/signalWebhook.ts';
import { type Bot, findBot } from '#shared/storage/dynamodb/bots/bots.ts';
import { type Installation, isActive } from '#shared/storage/dynamodb/bots/installation.ts';
import { findIntegration } from '#shared/storage/dynamodb/integrations/integrations.ts';
import { type Destination, parseDestination } from '#shared/storage/dynamodb/partitioning/destinations.ts';

/** Returns the enabled installation of a conversation. Users of a chat and members of the inbox need no delivery. */
export const recipientInstallation = ({ installations }: Bot, webhookId: string): Installation | undefined =>
  installations.find(each => each.webhookId === webhookId && each.isEnabled && !each.isChat && !isInbox(each));

/** Returns the installation of a conversation if it is configured, too. */
export function usableInstallation(bot: Bot, webhookId: string): Installation | undefined {
  const installation = recipientInstallation(bot, webhookId);
  return installation && isActive(installation) ? installation : undefined;
}

export async function findAddress(
  destination: Destination,
): Promise<{ isGone: boolean; address?: string | undefined }> {
  const { botId, webhookId } = parseDestination(destination);
  const bot = await findBot(botId);
  if (!bot || bot.deletedAtMs !== undefined) return { isGone: true };
  if (webhookId === undefined) return { isGone: false, address: addressOfBot(bot) };
  const signalled = signalInstallation(bot, webhookId);
  if (signalled) return { isGone: false, address: signalled.signalUrlHash };
  const installation = usableInstallation(bot, webhookId);
  const integration = installation && (await findIntegration(installation.integrationId));
  const target = integration && targetOf('integration', integration);
  return { isGone: false, address: target && addressOf(target) };
}
