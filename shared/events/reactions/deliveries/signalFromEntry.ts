import { clock } from '#shared/core/clock.ts';
import { signalInstallation } from '#shared/outbound/installations/signalWebhook.ts';
import type { Bot } from '#shared/storage/dynamodb/bots/bots.ts';
import { type EntryKind, parseEntry } from '#shared/storage/dynamodb/chat/entry.ts';
import { type Outgoing, outgoingId } from '#shared/storage/dynamodb/chat/outgoing.ts';
import type { StreamChange } from '#shared/storage/dynamodb/engine/streamChange.ts';
import { webhookOf } from './conversationWebhook.ts';

/** Types of signals whose name differs from that of their entry. */
const TYPES: Partial<Record<EntryKind, string>> = { message: 'message_created', event: 'event_created' };

/**
 * Returns the record of a timeline entry's signal, if a webhook receives the signals of its chat
 * (docs/api/chat.md#outgoing-webhook). Reads nothing for a bot without such a chat. The record contains no content:
 * each attempt loads it, so that a deleted message is not sent.
 */
export async function signalOf(
  bot: Bot,
  { id: conversationId, sequenceNumber, after }: StreamChange,
): Promise<Outgoing | undefined> {
  if (!bot.installations.some(({ webhookId }) => signalInstallation(bot, webhookId))) return undefined;
  const { kind, position, userId, generation, isImported } = parseEntry(after);
  if (isImported) return undefined;
  const webhookId = await webhookOf(bot.id, conversationId);
  if (webhookId === undefined || !signalInstallation(bot, webhookId)) return undefined;
  return {
    id: outgoingId(conversationId, sequenceNumber),
    operation: 'signal',
    signal: TYPES[kind] ?? kind,
    position,
    status: 'pending',
    conversationId,
    webhookId,
    userId,
    generation: generation || undefined,
    createdAtMs: clock.now(),
  };
}
