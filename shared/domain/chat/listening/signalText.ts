import { Signal, viewPresence } from '#shared/domain/chat/chatSignals.ts';
import { loadSignal } from '#shared/domain/chat/loadSignal.ts';
import { shownConversationId } from '#shared/domain/chat/timelineViews.ts';
import { loadWebchatPresence, loadWebchatSignal, WebchatSignal } from '#shared/domain/chat/webchat/webchatSignals.ts';
import type { Entry } from '#shared/storage/dynamodb/chat/entry.ts';
import type { Participant } from '#shared/storage/dynamodb/chat/participants.ts';
import type { Presence } from '#shared/storage/dynamodb/chat/presence.ts';

export type Dialect = 'chat' | 'webchat';

/** Cached texts. Participants receive the same text, except for the conversation's id. */
const texts = new WeakMap<Entry, { shownId: string; dialect: Dialect; text: Promise<string | undefined> }>();

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
