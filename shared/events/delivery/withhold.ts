/**
 * Withholds messages of users from the bot while an agent is assigned to the conversation
 * (docs/api/botChat.md#handoff). Messages in the span of the handoff are withheld even if a retry follows after its
 * end.
 */
import { type Event, entryOfEvent, setEventStatus } from '#shared/storage/dynamodb/chat/events.ts';
import { recordWithheld } from '#shared/storage/dynamodb/chat/handoffMarks.ts';
import { type Handoff, isOpen } from '#shared/storage/dynamodb/chat/handoffs.ts';
import { write } from '#shared/storage/dynamodb/engine/transaction.ts';

class AlreadyCompleted extends Error {
  override readonly name = 'AlreadyCompleted';
}

/**
 * Completes an event as withheld. An open handoff records it in the same transaction, and the end of the handoff is
 * conditional on that record. The final span therefore contains every message that was withheld.
 * @throws WriteConflict when the handoff ended since it was read
 */
export async function withhold(botId: string, event: Event, handoff: Handoff): Promise<void> {
  const { position } = entryOfEvent(event.id)!;
  const failureReason = `Withheld, because a member is assigned. See the handoff ${handoff.id}.`;
  try {
    await write([
      setEventStatus(botId, event, 'ignored', () => new AlreadyCompleted(), { failureReason }),
      ...(isOpen(handoff) ? [recordWithheld(botId, handoff, position)] : []),
    ]);
  } catch (error) {
    if (!(error instanceof AlreadyCompleted)) throw error;
  }
}
