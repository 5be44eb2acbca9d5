import { ActionIcon, Button, Group, Menu, Tooltip } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useEffect, useMemo, useRef } from 'react';
import type { HandoffRow } from '../../api/contract.ts';
import { useBotNames } from '../../api/useBot.ts';
import { useHandoffsOf } from '../../api/useHandoffsOf.ts';
import { useInboxCounts } from '../../api/useInboxCounts.ts';
import type { List } from '../../api/useList.ts';
import {
  IconArrowBackUp,
  IconCheck,
  IconCircleCheck,
  IconListCheck,
  IconSortDescending,
  IconTag,
} from '../../icons/tabler.ts';
import { inbox } from '../../messages/en/inbox.ts';
import { labels as labelTexts } from '../../messages/en/labels.ts';
import { search as searchTexts } from '../../messages/en/search.ts';
import { translator } from '../../messages/translate.ts';
import {
  conversationPath,
  DIRECTIONS,
  type Direction,
  useInboxSearch,
  VIEWS,
  type View,
} from '../../navigation/inboxAddress.ts';
import { usePageActions } from '../../navigation/pageActions.ts';
import { useMaybeBotId } from '../../navigation/useRoute.ts';
import { SearchField } from '../../parts/SearchField.tsx';
import { Empty } from '../../parts/States.tsx';
import { shownCount } from '../../parts/shownCount.ts';
import { VirtualRows } from '../../parts/VirtualRows.tsx';
import panes from '../conversations/Conversations.module.css';
import { ListPane } from '../conversations/ListPane.tsx';
import { SearchResults } from '../conversations/SearchResults.tsx';
import { type Conversation, useConversationList } from '../conversations/useConversations.ts';
import { BulkBar } from './BulkBar.tsx';
import classes from './Inbox.module.css';
import { InboxItem } from './InboxItem.tsx';
import { countOf } from './inboxViews.ts';
import { FilteredBy, LabelFilter } from './LabelFilter.tsx';
import { MentionList } from './MentionList.tsx';
import { clearSelection, offerSelection, setSelecting, useIsSelecting } from './selection.ts';
import { UndoBar } from './UndoBar.tsx';
import { BULK, undoLatest, useUndoable } from './undo.ts';
import { useDirection } from './useDirection.ts';
import { useInboxRows } from './useInbox.ts';
import { useSearchText } from './useSearchText.ts';
import { useCaller } from './useTeam.ts';

const t = translator('inbox', inbox);
const ts = translator('search', searchTexts);
const tl = translator('labels', labelTexts);

/** Height of a row with three lines. */
const ROW_HEIGHT = 76;

interface Row {
  botId: string;
  conversationId: string;
  updatedAt: string;
  handoff?: HandoffRow | undefined;
  /** Set for rows of the list of all conversations. */
  conversation?: Conversation;
}

interface HandoffListing {
  view: View;
  botId: string | undefined;
  label?: string | undefined;
  direction: Direction;
}

function useHandoffRows({ view, botId, label, direction }: HandoffListing, isEnabled: boolean): List<Row> {
  const { ownId } = useCaller();
  const isReady = ownId !== '' || (view !== 'mine' && view !== 'unread');
  const botIds = botId === undefined ? [] : [botId];
  const list = useInboxRows({ view, direction, ownId, botIds, labelId: label }, isEnabled && isReady);
  const items = useMemo(
    () =>
      list.items.map(handoff => {
        const { conversationId, updatedAt } = handoff;
        return { botId: handoff.botId, conversationId, updatedAt, handoff };
      }),
    [list.items],
  );
  return { ...list, items };
}

/** Reads all conversations of a bot, with their open handoffs. */
function useConversationRows(botId: string, isEnabled: boolean): List<Row> {
  const open = useHandoffRows({ view: 'open', botId, direction: 'desc' }, isEnabled);
  const snoozed = useHandoffRows({ view: 'snoozed', botId, direction: 'asc' }, isEnabled);
  const list = useConversationList(botId, { text: '', integration: '' }, isEnabled);
  const handoffs = new Map(
    [...open.items, ...snoozed.items].map(({ conversationId, handoff }) => [conversationId, handoff]),
  );
  return {
    ...list,
    items: list.items.map(conversation => {
      const { id, updatedAt } = conversation;
      return { botId, conversationId: id, updatedAt, handoff: handoffs.get(id), conversation };
    }),
  };
}

/**
 * Keeps the open conversation at its position in the list, so that "next" is unchanged after the conversation is taken
 * over or closed.
 */
function useWithOpen(rows: Row[], openId: string | undefined): Row[] {
  const botId = useMaybeBotId() ?? '';
  const { items } = useHandoffsOf(botId, openId ?? '', openId !== undefined);
  // Undefined until the conversation has appeared in this view.
  const place = useRef<number>(undefined);
  const found = rows.findIndex(({ conversationId }) => conversationId === openId);
  useEffect(() => {
    if (found !== -1) place.current = found;
  });
  if (openId === undefined || found !== -1 || place.current === undefined) return rows;
  const [handoff] = items;
  const open = { botId, conversationId: openId, updatedAt: handoff?.updatedAt ?? '', handoff };
  // The row shows the handoff's time, so it appears when the handoff is loaded.
  return handoff ? rows.toSpliced(Math.min(place.current, rows.length), 0, open) : rows;
}

interface InboxListProps {
  view: View;
  /** All bots by default. */
  botId: string | undefined;
  label: string | undefined;
  openId: string | undefined;
}

export function InboxList({ view, botId, label, openId }: InboxListProps) {
  const [text, wanted, setText] = useSearchText();
  const [direction, setDirection] = useDirection(view);
  const isSearch = text !== '';
  // Only handoffs can be filtered by a label.
  const isEveryConversation = botId !== undefined && view === 'all' && label === undefined;
  const isMentions = view === 'mentions';
  const conversations = useConversationRows(botId ?? '', !isSearch && isEveryConversation);
  const handoffs = useHandoffRows({ view, botId, label, direction }, !isSearch && !isEveryConversation && !isMentions);
  const list = isEveryConversation ? conversations : handoffs;
  const rows = useWithOpen(list.items, openId);
  const scroller = useRef<HTMLDivElement>(null);
  const names = useBotNames();
  const isMixed = botId === undefined && names.size > 1;
  const { mayHandle } = useCaller();
  const selectable = useMemo(
    () =>
      mayHandle && !isSearch
        ? list.items.flatMap(({ botId, handoff }) => (handoff && handoff.status !== 'closed' ? { botId, handoff } : []))
        : [],
    [list.items, mayHandle, isSearch],
  );
  useEffect(() => offerSelection(selectable.map(({ handoff }) => handoff.conversationId)), [selectable]);
  useEffect(() => clearSelection, []);
  const isSelecting = useIsSelecting();
  return (
    <>
      <Views view={view} botId={botId} openId={openId} />
      <Group className={classes.search} gap={6} wrap="nowrap">
        <SearchField
          label={ts('search')}
          placeholder={ts('placeholder')}
          value={text}
          onChange={setText}
          isReady={isSearch && wanted === text}
        />
        {selectable.length > 0 && (
          <Tooltip label={t('select')}>
            <ActionIcon
              variant="default"
              size={30}
              aria-label={t('select')}
              aria-pressed={isSelecting}
              onClick={() => setSelecting(!isSelecting)}
            >
              <IconListCheck size={16} aria-hidden />
            </ActionIcon>
          </Tooltip>
        )}
        {!isSearch && !isMentions && <LabelFilter label={label} />}
        {!isEveryConversation && !isSearch && !isMentions && (
          <Order view={view} direction={direction} onChange={setDirection} />
        )}
      </Group>
      {label !== undefined && !isSearch && !isMentions && <FilteredBy label={label} />}
      {isSelecting && selectable.length > 0 && <BulkBar rows={selectable} />}
      {isSearch ? (
        <div className={panes.items}>
          <SearchResults
            botIds={botId === undefined ? [] : [botId]}
            text={wanted}
            openId={openId}
            linkOf={(bot, id, find) => ({
              to: conversationPath(bot, id),
              search: { view, bot: botId, label, q: wanted, find },
            })}
            nameOfBot={bot => (isMixed ? (names.get(bot) ?? bot) : undefined)}
          />
        </div>
      ) : isMentions ? (
        <MentionList botId={botId} />
      ) : (
        <ListPane
          list={list}
          count={rows.length}
          label={t('list')}
          empty={label === undefined ? <NothingIn view={view} /> : <NothingLabelled list={list} />}
          scroller={scroller}
        >
          <VirtualRows
            rows={rows}
            keyOf={row => row.conversationId}
            scroller={scroller}
            estimate={ROW_HEIGHT}
            current={openId}
            onEnd={() => {
              if (list.hasMore && !list.isLoadingMore) list.loadMore();
            }}
          >
            {row => (
              <InboxItem
                view={view}
                {...row}
                botName={isMixed ? names.get(row.botId) : undefined}
                isOpen={row.conversationId === openId}
              />
            )}
          </VirtualRows>
        </ListPane>
      )}
      <UndoBar botId={BULK} />
      {openId === undefined && <ListShortcuts />}
    </>
  );
}

/** Shortcuts while no conversation is open, which would offer them. */
function ListShortcuts() {
  const undoable = useUndoable(BULK);
  usePageActions(undoable ? [{ id: 'undo', label: t('undo'), key: 'z', Icon: IconArrowBackUp, run: undoLatest }] : []);
  return null;
}

/** A call examines a limited number of conversations, so that the next one may have the label. */
function NothingLabelled({ list }: { list: List<Row> }) {
  return (
    <Empty
      Icon={IconTag}
      title={tl('noneWith')}
      {...(list.hasMore
        ? {
            action: (
              <Button variant="default" size="xs" loading={list.isLoadingMore} onClick={list.loadMore}>
                {tl('searchOlder')}
              </Button>
            ),
          }
        : {})}
    >
      {tl('noneWithAbout')}
    </Empty>
  );
}

function NothingIn({ view }: { view: View }) {
  if (view === 'all') return <Empty title={t('noneAll')}>{t('noneAllAbout')}</Empty>;
  return (
    <Empty Icon={IconCircleCheck} title={t(`none_${view}`)}>
      {t(`noneAbout_${view}`)}
    </Empty>
  );
}

/** Names what a view is sorted by. */
const ORDERS = {
  waiting: 'waiting',
  mine: 'message',
  unread: 'message',
  snoozed: 'snooze',
  open: 'change',
  closed: 'change',
  all: 'change',
  mentions: 'change',
} as const;

interface OrderProps {
  view: View;
  direction: Direction;
  onChange: (direction: Direction) => void;
}

function Order({ view, direction, onChange }: OrderProps) {
  return (
    <Menu position="bottom-end" width={260}>
      <Tooltip label={t('order')}>
        <Menu.Target>
          <ActionIcon variant="default" size={30} aria-label={t('order')}>
            <IconSortDescending size={16} aria-hidden />
          </ActionIcon>
        </Menu.Target>
      </Tooltip>
      <Menu.Dropdown>
        {DIRECTIONS.map(each => (
          <Menu.Item
            key={each}
            role="menuitemradio"
            aria-checked={each === direction}
            rightSection={each === direction && <IconCheck size={14} aria-hidden />}
            onClick={() => onChange(each)}
          >
            {t(`order_${ORDERS[view]}_${each}`)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

/** Links to the views, with the number of their conversations. */
function Views({ view, botId, openId }: Omit<InboxListProps, 'label'>) {
  const openBotId = useMaybeBotId();
  const search = useInboxSearch();
  const { data } = useInboxCounts(botId === undefined ? [] : [botId]);
  const to = openId && openBotId ? conversationPath(openBotId, openId) : '/inbox';
  return (
    <nav className={classes.views} aria-label={t('views')}>
      {VIEWS.map(each => {
        const count = countOf(each, data?.counts);
        return (
          <Link
            key={each}
            className={classes.view}
            to={to as string}
            search={{ view: each, bot: search.bot, label: search.label, q: undefined }}
            {...(each === view ? { 'aria-current': 'true' as const } : {})}
          >
            <span className={classes.viewName}>{t(`view_${each}`)}</span>
            {count !== undefined && (
              <span className={classes.count} data-strong={(each === 'waiting' || each === 'mentions') && count > 0}>
                {shownCount(count)}
              </span>
            )}
          </Link>
        );
      })}
    </nav>
  );
}
