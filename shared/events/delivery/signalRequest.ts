import { clock } from '#shared/core/clock.ts';
import { own } from '#shared/core/own.ts';
import { loadSignal } from '#shared/domain/chat/loadSignal.ts';
import { signedHeaders } from '#shared/outbound/endpoints/webhookSignature.ts';
import { signalInstallation, signalWebhookOf } from '#shared/outbound/installations/signalWebhook.ts';
import type { Bot } from '#shared/storage/dynamodb/bots/bots.ts';
import { findConversation } from '#shared/storage/dynamodb/chat/conversations.ts';
import type { OutgoingSignal } from '#shared/storage/dynamodb/chat/outgoing.ts';
import { findEntry } from '#shared/storage/dynamodb/chat/timeline.ts';
import type { BotDefinition } from '#shared/storage/dynamodb/definitions/botDefinition.ts';

interface SignalTarget {
  url: string;
  /** Of the bot's record, as wakeups read it. They do not read the definition, which contains the URL. */
  address: string;
  secret?: string | undefined;
}

/** Returns the webhook that receives a signal; undefined if it was removed, or its chat disabled. */
export function signalTarget(
  { bot, definition }: { bot: Bot; definition: BotDefinition },
  { webhookId }: OutgoingSignal,
): SignalTarget | undefined {
  const installation = signalInstallation(bot, webhookId);
  const webhook = installation && signalWebhookOf(own(definition.installations, installation.alias));
  return webhook && { ...webhook, address: installation.signalUrlHash! };
}

/** Builds the request of a signal; undefined if its message or conversation was deleted. */
export async function signalRequest(
  { bot }: { bot: Bot },
  { secret }: SignalTarget,
  { id, conversationId, webhookId, position, generation = 0 }: OutgoingSignal,
): Promise<{ headers: Record<string, string>; body: string } | undefined> {
  const [conversation, entry] = await Promise.all([
    findConversation(bot.id, conversationId),
    findEntry(bot.id, conversationId, position!),
  ]);
  if (!entry || conversation?.generation !== generation) return undefined;
  const { foreignId: foreignConversationId } = conversation;
  const signal = await loadSignal(bot.id, entry, { conversationId, foreignConversationId });
  if (!signal) return undefined;
  const body = JSON.stringify(signal);
  const headers = {
    ...(secret === undefined ? {} : { 'x-secret-key': secret }),
    'x-bot-id': bot.id,
    'x-webhook-id': webhookId,
    ...signedHeaders(bot, { id, body, nowMs: clock.now() }),
  };
  return { headers, body };
}
