/** Signals as text, in the dialect of the client that listens. */
import type { Entry } from '#shared/storage/dynamodb/chat/entry.ts';
import type { Participant } from '#shared/storage/dynamodb/chat/participants.ts';
import type { Presence } from '#shared/storage/dynamodb/chat/presence.ts';
import { loadSignal, Signal, viewPresence } from './signals.ts';
import { shownConversationId } from './views.ts';
import { loadWebchatPresence, loadWebchatSignal, WebchatSignal } from './webchat/signals.ts';

/** The signals that a client understands. */
export type Dialect = 'chat' | 'webchat';

/** Every participant sees the same signal of an entry, but for the name of the conversation. */
const texts = new WeakMap<Entry, { shownId: string; dialect: Dialect; text: Promise<string | undefined> }>();

/** The signal of an entry as JSON, if there is one. Kept for as long as the entry is. */
export function signalText(
  botId: string,
  entry: Entry,
  participant: Participant,
  dialect: Dialect,
): Promise<string | undefined> {
  const shownId = shownConversationId(participant);
  const known = texts.get(entry);
  if (known?.shownId === shownId && known.dialect === dialect) return known.text;
  const text =
    dialect === 'webchat'
      ? loadWebchatSignal(botId, entry, participant).then(signal => textOf(WebchatSignal, signal))
      : loadSignal(botId, entry, participant).then(signal => textOf(Signal, signal));
  texts.set(entry, { shownId, dialect, text });
  text.catch(() => texts.delete(entry));
  return text;
}

/** The signal of presence as JSON, if there is one. */
export const presenceText = async (
  botId: string,
  presence: Presence,
  participant: Participant,
  dialect: Dialect,
): Promise<string | undefined> =>
  dialect === 'webchat'
    ? textOf(WebchatSignal, await loadWebchatPresence(botId, presence, participant))
    : textOf(Signal, viewPresence(botId, presence, participant));

const textOf = (schema: { parse(signal: unknown): unknown }, signal: unknown): string | undefined =>
  signal === undefined ? undefined : JSON.stringify(schema.parse(signal));
