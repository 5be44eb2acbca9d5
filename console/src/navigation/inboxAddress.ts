/** Addresses of the inbox. What the list shows is in the query, so that a link and a reload show the same. */
import { useSearch } from '@tanstack/react-router';

export const VIEWS = ['waiting', 'mine', 'unread', 'snoozed', 'mentions', 'open', 'closed', 'all'] as const;
export type View = (typeof VIEWS)[number];

export const viewOf = (value: unknown): View => VIEWS.find(view => view === value) ?? 'waiting';

/** Oldest or newest first, by the time that the view sorts by: see `inboxViews.ts`. */
export const DIRECTIONS = ['asc', 'desc'] as const;
export type Direction = (typeof DIRECTIONS)[number];

export interface InboxSearch {
  view?: View;
  /** Bot whose conversations are listed; all bots by default. */
  bot?: string;
  /** Label by which the list is filtered. */
  label?: string;
  /** Text of the search. */
  q?: string;
  /** Text to find in the open conversation. */
  find?: string;
  /** Note to which the open conversation scrolls. */
  note?: string;
  /** Overrides the remembered order of the view. */
  sort?: Direction;
}

/** Returns the validated query of the current address. */
export function useInboxSearch(): InboxSearch & { view: View } {
  const { view, bot, label, q, find, note, sort } = useSearch({ strict: false }) as Record<string, unknown>;
  const direction = DIRECTIONS.find(each => each === sort);
  return {
    view: viewOf(view),
    ...(typeof bot === 'string' && bot !== '' ? { bot } : {}),
    ...(typeof label === 'string' && label !== '' ? { label } : {}),
    ...(typeof q === 'string' && q !== '' ? { q } : {}),
    ...(typeof find === 'string' && find !== '' ? { find } : {}),
    ...(typeof note === 'string' && note !== '' ? { note } : {}),
    ...(direction ? { sort: direction } : {}),
  };
}

export const conversationPath = (botId: string, conversationId: string): string => `/inbox/${botId}/${conversationId}`;
