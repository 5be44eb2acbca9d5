/** Unsent replies and notes by conversation. They are kept in the tab until the member signs out. */
import { useSyncExternalStore } from 'react';

export interface Draft {
  text: string;
  isNote: boolean;
}

/** A reply and a note are separate texts, so that no change of the mode can send a note to the customer. */
interface Drafts {
  reply: Draft;
  note: Draft;
  isNote: boolean;
}

/** Differs from the key of earlier releases, whose drafts have another shape. */
const KEY = 'parley-console-unsent';
const NONE: Drafts = { reply: { text: '', isNote: false }, note: { text: '', isNote: true }, isNote: false };
const listeners = new Set<() => void>();
let drafts: Record<string, Drafts> | undefined;

/** Read at first use, so that a sign-out and a new session start without drafts of another member. */
function all(): Record<string, Drafts> {
  const stored = sessionStorage.getItem(KEY);
  if (stored === null) drafts = {};
  else drafts ??= JSON.parse(stored) as Record<string, Drafts>;
  return drafts;
}

const draftsOf = (conversationId: string): Drafts => all()[conversationId] ?? NONE;
const nameOf = (isNote: boolean) => (isNote ? 'note' : 'reply');

function store(conversationId: string, changed: Drafts): void {
  const { [conversationId]: _, ...others } = all();
  const isEmpty = changed.reply.text === '' && changed.note.text === '' && !changed.isNote;
  drafts = isEmpty ? others : { ...others, [conversationId]: changed };
  sessionStorage.setItem(KEY, JSON.stringify(drafts));
  for (const listener of listeners) listener();
}

/** Stores a text, and makes its mode the current one. */
export const setDraft = (conversationId: string, draft: Draft): void =>
  store(conversationId, { ...draftsOf(conversationId), [nameOf(draft.isNote)]: draft, isNote: draft.isNote });

/** Changes between the reply and the note, each with its own text. */
export const setMode = (conversationId: string, isNote: boolean): void =>
  store(conversationId, { ...draftsOf(conversationId), isNote });

/** Returns the text of the current mode. */
export function draftOf(conversationId: string): Draft {
  const current = draftsOf(conversationId);
  return current[nameOf(current.isNote)];
}

/** Restores a text that could not be sent, before a text of the same mode that the member has started since. */
export function restoreDraft(conversationId: string, { text, isNote }: Draft): void {
  const now = draftsOf(conversationId);
  const name = nameOf(isNote);
  const both = [text, now[name].text].filter(each => each !== '').join('\n');
  const isIdle = draftOf(conversationId).text === '';
  store(conversationId, { ...now, [name]: { text: both, isNote }, isNote: isIdle ? isNote : now.isNote });
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** Returns the text of the current mode. */
export const useDraft = (conversationId: string): Draft =>
  useSyncExternalStore(subscribe, () => draftOf(conversationId));

/** Returns a text of either mode, the current one first, for the list of conversations. */
export const useAnyDraft = (conversationId: string): Draft =>
  useSyncExternalStore(subscribe, () => {
    const current = draftOf(conversationId);
    return current.text !== '' ? current : draftsOf(conversationId)[nameOf(!current.isNote)];
  });
