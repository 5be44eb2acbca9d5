/** What a page shows while it loads, when nothing is there, and when something failed. */
import { Alert, Button, Center, Group, Loader, Stack, Text } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { explain, isForbidden, isUnauthorised } from '../api/explain.ts';
import type { List } from '../api/useList.ts';
import { signOut } from '../session/session.ts';

export const Loading = () => (
  <Center p="xl">
    <Loader aria-label="Loading" role="status" />
  </Center>
);

export const Empty = ({ children }: { children: ReactNode }) => (
  <Center p="xl">
    <Text c="dimmed" ta="center" maw={480}>
      {children}
    </Text>
  </Center>
);

export function Failure({ error, retry }: { error: unknown; retry?: (() => void) | undefined }) {
  const { message, id } = explain(error);
  const title = isForbidden(error) ? 'Your role does not allow this' : 'This could not be loaded';
  return (
    <Alert variant="default" role="alert" title={isUnauthorised(error) ? 'You are signed out' : title}>
      <Stack gap="xs">
        <Text size="sm">{message}</Text>
        {id && <Text size="xs">Error id: {id}</Text>}
        <Group>
          {retry && !isUnauthorised(error) && (
            <Button size="xs" variant="default" onClick={retry}>
              Try again
            </Button>
          )}
          {isUnauthorised(error) && (
            <Button size="xs" onClick={signOut}>
              Sign in
            </Button>
          )}
        </Group>
      </Stack>
    </Alert>
  );
}

export function Loaded<Data>(props: { query: UseQueryResult<Data, Error>; children: (data: Data) => ReactNode }) {
  const { data, error, isPending, refetch } = props.query;
  // What has been read stays while a later attempt fails.
  if (data !== undefined) return props.children(data);
  if (error) return <Failure error={error} retry={() => void refetch()} />;
  return isPending ? <Loading /> : null;
}

interface LoadedListProps<Item> {
  list: List<Item>;
  empty: ReactNode;
  children: (items: Item[]) => ReactNode;
}

export function LoadedList<Item>({ list, empty, children }: LoadedListProps<Item>) {
  if (list.items.length === 0) {
    if (list.error) return <Failure error={list.error} retry={() => void list.reload()} />;
    if (list.isLoading) return <Loading />;
    if (!list.hasMore) return <Empty>{empty}</Empty>;
  }
  return (
    <Stack>
      {list.error && <Failure error={list.error} retry={() => void list.reload()} />}
      {children(list.items)}
      {list.hasMore && (
        <Center>
          <Button variant="default" loading={list.isLoadingMore} onClick={list.loadMore}>
            Show more
          </Button>
        </Center>
      )}
    </Stack>
  );
}
