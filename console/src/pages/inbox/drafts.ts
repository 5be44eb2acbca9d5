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

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export const useDraft = (conversationId: string): Draft =>
  useSyncExternalStore(subscribe, () => all()[conversationId] ?? NONE);
