/** Unsent texts by conversation. They are kept in the tab until the member signs out. */
import { useSyncExternalStore } from 'react';

export interface Draft {
  text: string;
  isNote: boolean;
}

const KEY = 'parley-console-drafts';
const NONE: Draft = { text: '', isNote: false };
const listeners = new Set<() => void>();
let drafts: Record<string, Draft> | undefined;

/** Read at first use, so that a sign-out and a new session start without drafts of another member. */
function all(): Record<string, Draft> {
  const stored = sessionStorage.getItem(KEY);
  if (stored === null) drafts = {};
  else drafts ??= JSON.parse(stored) as Record<string, Draft>;
  return drafts;
}

export function setDraft(conversationId: string, draft: Draft): void {
  const { [conversationId]: _, ...others } = all();
  drafts = draft.text === '' && !draft.isNote ? others : { ...others, [conversationId]: draft };
  sessionStorage.setItem(KEY, JSON.stringify(drafts));
  for (const listener of listeners) listener();
}

export const draftOf = (conversationId: string): Draft => all()[conversationId] ?? NONE;

/**
 * Restores a text that could not be sent, before a text that the member has started since. If one of them is a note,
 * both are, because a note must not be sent to the customer.
 */
export function restoreDraft(conversationId: string, { text, isNote }: Draft): void {
  const now = draftOf(conversationId);
  const both = [text, now.text].filter(each => each !== '').join('\n');
  setDraft(conversationId, { text: both, isNote: now.text === '' ? isNote : isNote || now.isNote });
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export const useDraft = (conversationId: string): Draft =>
  useSyncExternalStore(subscribe, () => draftOf(conversationId));
