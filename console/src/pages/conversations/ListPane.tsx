import { Center } from '@mantine/core';
import type { ReactNode, Ref } from 'react';
import type { List } from '../../api/useList.ts';
import { conversation } from '../../messages/en/conversation.ts';
import { translator } from '../../messages/translate.ts';
import { Failure, Loading, LoadMore } from '../../parts/States.tsx';
import classes from './Conversations.module.css';

const t = translator('conversation', conversation);

interface ListPaneProps {
  list: List<unknown>;
  /** Number of rows shown, which may exceed the number of rows in the list. */
  count: number;
  label: string;
  empty: ReactNode;
  /** Element that scrolls. */
  scroller?: Ref<HTMLDivElement>;
  children: ReactNode;
}

/** List beside an open conversation. */
export const ListPane = ({ list, count, label, empty, scroller, children }: ListPaneProps) => (
  <div className={classes.items} ref={scroller}>
    {list.error && (
      <Center p="sm">
        <Failure error={list.error} retry={() => void list.reload()} />
      </Center>
    )}
    {list.isLoading && !list.error && (
      <div style={{ padding: 16 }}>
        <Loading />
      </div>
    )}
    <nav aria-label={label}>{children}</nav>
    {!list.isLoading && !list.error && count === 0 && empty}
    {list.hasMore && (
      <Center p="sm">
        <LoadMore list={list} size="xs">
          {t('more')}
        </LoadMore>
      </Center>
    )}
  </div>
);
