/**
 * Withholds messages of users from the bot while members serve the conversation (docs/api/botChat.md#handoff). The span
 * of the handoff decides, so that a retry after the end is withheld as well.
 */
import type { Conversation } from '#shared/storage/dynamodb/chat/conversations.ts';
import { type Event, entryOfEvent, setEventStatus } from '#shared/storage/dynamodb/chat/events.ts';
import { recordWithheld } from '#shared/storage/dynamodb/chat/handoffMarks.ts';
import { findHandoffAt, type Handoff, isOpen } from '#shared/storage/dynamodb/chat/handoffs.ts';
import { write } from '#shared/storage/dynamodb/engine/transaction.ts';

/**
 * Returns the handoff that withholds an event. Reads nothing for conversations without a handoff. The bot receives the
 * messages of members in a session of the integration inbox.
 */
export async function withholdingHandoff(
  botId: string,
  { id }: Event,
  conversation: Conversation | undefined,
): Promise<Handoff | undefined> {
  const entry = entryOfEvent(id);
  if (!entry || conversation?.handoffId === undefined || conversation.isHitlSession) return undefined;
  return findHandoffAt(botId, conversation, entry.position);
}

class AlreadySettled extends Error {
  override readonly name = 'AlreadySettled';
}

/**
 * Settles an event as withheld. An open handoff records it in the same transaction, and the end of the handoff is
 * conditional on that record. The final span therefore contains every message that was withheld.
 * @throws WriteConflict when the handoff ended since it was read
 */
export async function withhold(botId: string, event: Event, handoff: Handoff): Promise<void> {
  const { position } = entryOfEvent(event.id)!;
  const failureReason = `Withheld: a member answers, see the handoff ${handoff.id}.`;
  try {
    await write([
      setEventStatus(botId, event, 'ignored', () => new AlreadySettled(), { failureReason }),
      ...(isOpen(handoff) ? [recordWithheld(botId, handoff, position)] : []),
    ]);
  } catch (error) {
    if (!(error instanceof AlreadySettled)) throw error;
  }
}
