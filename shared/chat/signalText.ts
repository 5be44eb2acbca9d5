/** The signals of timeline entries as text, made once for all listeners of a conversation. */
import type { Entry } from '#shared/dynamodb/chat/entry.ts';
import type { Participant } from '#shared/dynamodb/chat/participants.ts';
import { loadSignal, Signal } from './signals.ts';
import { shownConversationId } from './views.ts';

/** Every participant sees the same signal of an entry, but for the name of the conversation. */
const texts = new WeakMap<Entry, { shownId: string; text: Promise<string> }>();

/** The signal of an entry as JSON. Kept for as long as the entry is. */
export function signalText(botId: string, entry: Entry, participant: Participant): Promise<string> {
  const shownId = shownConversationId(participant);
  const known = texts.get(entry);
  if (known?.shownId === shownId) return known.text;
  const text = loadSignal(botId, entry, participant).then(signal => JSON.stringify(Signal.parse(signal)));
  texts.set(entry, { shownId, text });
  text.catch(() => texts.delete(entry));
  return text;
}
