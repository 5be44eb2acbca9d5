/** The loading, empty and failed states of a page. */
import {
  Alert,
  Box,
  Button,
  Center,
  EmptyState,
  Group,
  type MantineSize,
  Skeleton,
  Stack,
  Table,
  Text,
} from '@mantine/core';
import { type UseQueryResult, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { explain, isForbidden, isUnauthorised } from '../api/explain.ts';
import { retryFailures } from '../api/queries.ts';
import type { List } from '../api/useList.ts';
import { type Icon, IconAlertCircle, IconInbox, IconLock } from '../icons/tabler.ts';
import { common } from '../messages/en/common.ts';
import { translator } from '../messages/translate.ts';
import { chooseWorkspace } from '../session/session.ts';
import { ACTIONS, Rows } from './Small.tsx';

const t = translator('common', common);

const WIDTHS = ['92%', '78%', '85%', '70%', '88%', '60%'];

export const Loading = () => (
  <Stack gap="md" py="xs" aria-label={t('loading')} role="status">
    {WIDTHS.map(width => (
      <Skeleton key={width} height={14} width={width} />
    ))}
  </Stack>
);

/** A table whose rows have not been read yet. */
const LoadingRows = ({ heads }: { heads: readonly string[] }) => (
  <div role="status" aria-label={t('loading')}>
    <Rows label={t('loading')} heads={[...heads]}>
      {WIDTHS.map(width => (
        <Table.Tr key={width}>
          {heads.map((head, place) => (
            <Table.Td key={head}>
              {head !== ACTIONS && <Skeleton height={14} width={place === 0 ? width : '60%'} />}
            </Table.Td>
          ))}
        </Table.Tr>
      ))}
    </Rows>
  </div>
);

interface EmptyProps {
  children: ReactNode;
  title?: ReactNode;
  Icon?: Icon;
  action?: ReactNode;
}

export const Empty = ({ children, title, Icon = IconInbox, action }: EmptyProps) => (
  <Center py={48} px="md">
    <EmptyState
      size="sm"
      icon={<Icon size={22} stroke={1.5} aria-hidden />}
      withIndicatorBackground
      title={title}
      description={
        <Box maw={440} mx="auto">
          {children}
        </Box>
      }
    >
      {action && <EmptyState.Actions>{action}</EmptyState.Actions>}
    </EmptyState>
  </Center>
);

/** @param props.retry repeats what failed. Everything else that failed on the page is repeated with it. */
export function Failure({ error, retry }: { error: unknown; retry?: (() => void) | undefined }) {
  const queries = useQueryClient();
  const { message, id } = explain(error);
  // A call whose session has ended leads to the sign-in page (`checkSession`).
  const hasNoWorkspace = isUnauthorised(error);
  return (
    <Alert
      variant="light"
      color={isForbidden(error) ? 'gray' : 'red'}
      icon={isForbidden(error) ? <IconLock /> : <IconAlertCircle />}
      role="alert"
      title={t(isForbidden(error) ? 'notAllowed' : 'notLoaded')}
    >
      <Stack gap="xs" align="flex-start">
        <Text size="sm" c="var(--mantine-color-text)">
          {message}
        </Text>
        {id && (
          <Text size="xs" c="var(--mantine-color-text)">
            {t('errorId', { id })}
          </Text>
        )}
        <Group>
          {retry && !hasNoWorkspace && (
            <Button
              size="xs"
              variant="default"
              onClick={() => {
                retry();
                retryFailures(queries);
              }}
            >
              {t('tryAgain')}
            </Button>
          )}
          {hasNoWorkspace && (
            <Button size="xs" onClick={() => chooseWorkspace(undefined)}>
              {t('chooseWorkspace')}
            </Button>
          )}
        </Group>
      </Stack>
    </Alert>
  );
}

export function Loaded<Data>(props: { query: UseQueryResult<Data, Error>; children: (data: Data) => ReactNode }) {
  const { data, error, isPending, refetch } = props.query;
  // Keeps loaded data when a later attempt fails.
  if (data !== undefined) return props.children(data);
  if (error) return <Failure error={error} retry={() => void refetch()} />;
  return isPending ? <Loading /> : null;
}

interface LoadMoreProps {
  list: Pick<List<unknown>, 'isLoadingMore' | 'loadMore'>;
  size?: MantineSize;
  children: ReactNode;
}

export const LoadMore = ({ list, size = 'sm', children }: LoadMoreProps) => (
  <Button size={size} variant="default" loading={list.isLoadingMore} onClick={list.loadMore}>
    {children}
  </Button>
);

interface LoadedListProps<Item> {
  list: List<Item>;
  /** A sentence or an `Empty` element. */
  empty: ReactNode;
  /** Heads of the table in which the rows appear. Lists without heads load as lines of text. */
  heads?: readonly string[];
  children: (items: Item[]) => ReactNode;
}

export function LoadedList<Item>({ list, empty, heads, children }: LoadedListProps<Item>) {
  if (list.items.length === 0) {
    if (list.error) return <Failure error={list.error} retry={() => void list.reload()} />;
    if (list.isLoading) return heads ? <LoadingRows heads={heads} /> : <Loading />;
    if (!list.hasMore) return typeof empty === 'string' ? <Empty>{empty}</Empty> : empty;
  }
  return (
    <Stack>
      {list.error && <Failure error={list.error} retry={() => void list.reload()} />}
      {children(list.items)}
      {list.hasMore && (
        <Center>
          <LoadMore list={list}>{t('showMore')}</LoadMore>
        </Center>
      )}
    </Stack>
  );
}
