/** Reads a list of the API page by page. */
import { type UseInfiniteQueryResult, useInfiniteQuery } from '@tanstack/react-query';
import type { Live } from './live/useLive.ts';

interface Options {
  /** The polling interval; none by default. */
  everyMs?: number | undefined;
  /** Replaces `everyMs` for lists that notices refetch. */
  live?: Live;
}

export interface List<Item> {
  items: Item[];
  isLoading: boolean;
  error: Error | null;
  hasMore: boolean;
  isLoadingMore: boolean;
  loadMore(): void;
  reload(): Promise<unknown>;
}

interface PageOf<Item> {
  items: Item[];
  nextToken: string | undefined;
}

export function useList<Item>(
  key: readonly unknown[],
  readPage: (nextToken: string | undefined) => Promise<PageOf<Item>>,
  { everyMs, live = { enabled: true, refetchInterval: everyMs ?? false } }: Options = {},
): List<Item> {
  const query = useInfiniteQuery({
    queryKey: key,
    queryFn: ({ pageParam }) => readPage(pageParam),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page: PageOf<Item>) => page.nextToken,
    ...live,
  });
  return {
    ...listOf(
      query,
      query.data?.pages.flatMap(page => page.items),
    ),
    isLoading: query.isPending,
  };
}

type PagedQuery = Pick<
  UseInfiniteQueryResult,
  'isLoading' | 'error' | 'hasNextPage' | 'isFetchingNextPage' | 'fetchNextPage' | 'refetch'
>;

/** Returns the list that a paged query reads. A disabled query does not load. */
export const listOf = <Item>(query: PagedQuery, items: Item[] = []): List<Item> => ({
  items,
  isLoading: query.isLoading,
  error: query.error,
  hasMore: query.hasNextPage,
  isLoadingMore: query.isFetchingNextPage,
  loadMore: () => void query.fetchNextPage(),
  reload: () => query.refetch(),
});

/** Converts the response of a list operation to a page. */
export const pageOf = <Item>(items: Item[], answer: { meta: { nextToken?: string | undefined } }): PageOf<Item> => ({
  items,
  nextToken: answer.meta.nextToken,
});
