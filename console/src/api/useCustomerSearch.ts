/** Searches on the server. A new text cancels the previous call. */
import { useInfiniteQuery } from '@tanstack/react-query';
import { useParley, useWorkspaceId } from './clients.ts';
import type { Customer, FoundMessage } from './contract.ts';
import { listOf } from './useList.ts';

/** Fewer characters are not searched. */
const MIN_CHARACTERS = 2;
const STALE_MS = 10_000;

export const isSearchable = (text: string): boolean => text.trim().length >= MIN_CHARACTERS;
/** Ids and tags identify records, so messages are not searched for them. */
export const isExact = (text: string): boolean => /^(convo|user)_\w+$|^[^=\s]+=./.test(text.trim());

interface Search {
  /** Empty for all bots. */
  botIds: readonly string[];
  text: string;
  isEnabled?: boolean;
  pageSize?: number;
}

/** @returns users by name, email, tag or id, with `isPartial` if the workspace has more bots than were searched */
export function useCustomerSearch({ botIds, text, isEnabled = true, pageSize }: Search) {
  const parley = useParley();
  const workspaceId = useWorkspaceId();
  const query = useInfiniteQuery({
    queryKey: ['customers', workspaceId, botIds, text.trim(), pageSize],
    queryFn: ({ pageParam, signal }) =>
      parley.searchInbox(
        { query: text.trim(), botIds, nextToken: pageParam, ...(pageSize ? { pageSize } : {}) },
        signal,
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: page => page.meta.nextToken,
    enabled: isEnabled && isSearchable(text),
    staleTime: STALE_MS,
  });
  const list = listOf<Customer>(
    query,
    query.data?.pages.flatMap(({ customers }) => customers),
  );
  return { ...list, isPartial: query.data?.pages[0]?.isPartial ?? false };
}

/** @returns the latest match of each conversation, and the extent of the search */
export function useMessageSearch({ botIds, text, isEnabled = true }: Search) {
  const parley = useParley();
  const workspaceId = useWorkspaceId();
  const query = useInfiniteQuery({
    queryKey: ['foundMessages', workspaceId, botIds, text.trim()],
    queryFn: ({ pageParam, signal }) =>
      parley.searchInboxMessages({ query: text.trim(), botIds, nextToken: pageParam }, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: page => page.meta.nextToken,
    enabled: isEnabled && isSearchable(text) && !isExact(text),
    staleTime: STALE_MS,
  });
  const pages = query.data?.pages ?? [];
  const list = listOf<FoundMessage>(
    query,
    pages.flatMap(({ results }) => results),
  );
  return {
    ...list,
    searched: pages.reduce((sum, { searched }) => sum + searched.conversations, 0),
    searchedTo: pages.findLast(({ searched }) => searched.to !== undefined)?.searched.to,
  };
}
