import { Box, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { Link } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import type { HandoffRow } from '../../api/contract.ts';
import type { List } from '../../api/useList.ts';
import { IconCircleCheck, IconSearch } from '../../icons/tabler.ts';
import { inbox } from '../../messages/en/inbox.ts';
import { translator } from '../../messages/translate.ts';
import { Empty } from '../../parts/States.tsx';
import { ListPane } from '../conversations/ListPane.tsx';
import { readSearch } from '../conversations/readSearch.ts';
import { type Conversation, useConversationList } from '../conversations/useConversations.ts';
import classes from './Inbox.module.css';
import { InboxItem } from './InboxItem.tsx';
import { countOf, filtersOf, mergeNewest, shownCount, VIEWS, type View } from './inboxViews.ts';
import { useCounts, useHandoffs } from './useInbox.ts';
import { useCaller } from './useTeam.ts';

const t = translator('inbox', inbox);

interface Row {
  conversationId: string;
  updatedAt: string;
  handoff?: HandoffRow | undefined;
  /** Set for rows of the list of all conversations. */
  conversation?: Conversation;
}

/** Reads the lists of a view. React requires both hooks to run, so a view with one list disables the second query. */
function useHandoffRows(botId: string, view: View): List<Row> {
  const { ownId } = useCaller();
  const [first, second] = filtersOf(view, ownId);
  const isReady = first !== undefined && (first.accountId === undefined || ownId !== '');
  const lists = [
    useHandoffs(botId, first ?? {}, isReady),
    useHandoffs(botId, second ?? { status: 'served' }, second !== undefined),
  ].slice(0, second ? 2 : 1);
  return {
    items: mergeNewest(lists).map(handoff => ({
      conversationId: handoff.conversationId,
      updatedAt: handoff.updatedAt,
      handoff,
    })),
    isLoading: lists.some(({ isLoading }) => isLoading),
    error: lists.find(({ error }) => error)?.error ?? null,
    hasMore: lists.some(({ hasMore }) => hasMore),
    isLoadingMore: lists.some(({ isLoadingMore }) => isLoadingMore),
    loadMore: () => lists.filter(({ hasMore }) => hasMore).forEach(list => void list.loadMore()),
    reload: () => Promise.all(lists.map(list => list.reload())),
  };
}

/** Reads all conversations, or those that match a search, with their open handoffs. */
function useConversationRows(botId: string, search: string, isEnabled: boolean): List<Row> {
  const open = useHandoffRows(botId, isEnabled ? 'open' : 'all');
  const list = useConversationList(botId, { text: search, integration: '' }, isEnabled);
  const handoffs = new Map(open.items.map(({ conversationId, handoff }) => [conversationId, handoff]));
  return {
    ...list,
    items: list.items.map(conversation => {
      const { id, updatedAt } = conversation;
      return { conversationId: id, updatedAt, handoff: handoffs.get(id), conversation };
    }),
  };
}

/**
 * Keeps the open conversation at its position in the list, so that "next" is unchanged after the conversation is taken
 * over or closed.
 */
function useWithOpen(botId: string, rows: Row[], openId: string | undefined): Row[] {
  const { items } = useHandoffs(botId, { conversationId: openId ?? '' }, openId !== undefined);
  // Undefined until the conversation has appeared in this view.
  const place = useRef<number>(undefined);
  const found = rows.findIndex(({ conversationId }) => conversationId === openId);
  useEffect(() => {
    if (found !== -1) place.current = found;
  });
  if (openId === undefined || found !== -1 || place.current === undefined) return rows;
  const [handoff] = items;
  const open = { conversationId: openId, updatedAt: handoff?.updatedAt ?? '', handoff };
  // The row shows the handoff's time, so it appears when the handoff is loaded.
  return handoff ? rows.toSpliced(Math.min(place.current, rows.length), 0, open) : rows;
}

interface InboxListProps {
  botId: string;
  view: View;
  openId: string | undefined;
}

export function InboxList({ botId, view, openId }: InboxListProps) {
  const [text, setText] = useState('');
  const [wanted] = useDebouncedValue(text, 300);
  const { words, ...search } = readSearch(wanted);
  const isSearch = Object.keys(search).length > 0;
  const isEverything = view === 'all' || isSearch;
  const conversations = useConversationRows(botId, isSearch ? wanted : '', isEverything);
  const handoffs = useHandoffRows(botId, isSearch ? 'all' : view);
  const list = isEverything ? conversations : handoffs;
  const rows = useWithOpen(botId, list.items, isSearch ? undefined : openId);
  return (
    <>
      <Views botId={botId} view={view} openId={openId} />
      <Box className={classes.search} role="search">
        <TextInput
          aria-label={t('search')}
          placeholder={t('searchPlaceholder')}
          leftSection={<IconSearch size={14} aria-hidden />}
          value={text}
          onChange={event => setText(event.currentTarget.value)}
          maxLength={1_000}
        />
      </Box>
      <ListPane
        list={list}
        count={rows.length}
        label={t('list')}
        words={words}
        empty={<NothingIn view={view} isSearch={isSearch} />}
      >
        {rows.map(row => (
          <InboxItem
            key={row.conversationId}
            botId={botId}
            view={view}
            {...row}
            isOpen={row.conversationId === openId}
            words={words}
          />
        ))}
      </ListPane>
    </>
  );
}

function NothingIn({ view, isSearch }: { view: View; isSearch: boolean }) {
  if (isSearch || view === 'all')
    return <Empty title={t(isSearch ? 'noMatch' : 'noneAll')}>{t(isSearch ? 'noMatchAbout' : 'noneAllAbout')}</Empty>;
  return (
    <Empty Icon={IconCircleCheck} title={t(`none_${view}`)}>
      {t(`noneAbout_${view}`)}
    </Empty>
  );
}

/** Links to the views, with the number of their conversations. */
function Views({ botId, view, openId }: InboxListProps) {
  const { data: counts } = useCounts(botId);
  return (
    <nav className={classes.views} aria-label={t('views')}>
      {VIEWS.map(each => {
        const count = countOf(each, counts);
        return (
          <Link
            key={each}
            className={classes.view}
            to={`/bots/${botId}/inbox${openId ? `/${openId}` : ''}` as string}
            search={{ view: each }}
            {...(each === view ? { 'aria-current': 'true' as const } : {})}
          >
            <span className={classes.viewName}>{t(`view_${each}`)}</span>
            {count !== undefined && (
              <span className={classes.count} data-strong={each === 'waiting' && count > 0}>
                {shownCount(count)}
              </span>
            )}
          </Link>
        );
      })}
    </nav>
  );
}
