/** The member's mentions in notes. Opening one shows its conversation at the note. */
import { Link } from '@tanstack/react-router';
import { useRef } from 'react';
import type { Mention } from '../../api/contract.ts';
import { IconAt } from '../../icons/tabler.ts';
import { inbox } from '../../messages/en/inbox.ts';
import { translator } from '../../messages/translate.ts';
import { conversationPath, useInboxSearch } from '../../navigation/inboxAddress.ts';
import { Person } from '../../parts/Person.tsx';
import { personName } from '../../parts/personName.ts';
import { Empty } from '../../parts/States.tsx';
import { formatShort, formatWhole } from '../../parts/time.ts';
import panes from '../conversations/Conversations.module.css';
import { ListPane } from '../conversations/ListPane.tsx';
import { actorName } from './actorName.ts';
import classes from './Inbox.module.css';
import { useMentions } from './useMentions.ts';

const t = translator('inbox', inbox);

export function MentionList({ botId }: { botId: string | undefined }) {
  const list = useMentions();
  const scroller = useRef<HTMLDivElement>(null);
  const shown = list.items.filter(mention => botId === undefined || mention.botId === botId);
  return (
    <ListPane
      list={list}
      count={shown.length}
      label={t('view_mentions')}
      empty={
        <Empty Icon={IconAt} title={t('none_mentions')}>
          {t('noneAbout_mentions')}
        </Empty>
      }
      scroller={scroller}
    >
      {shown.map(mention => (
        <Item key={mention.noteId} mention={mention} />
      ))}
    </ListPane>
  );
}

function Item({ mention }: { mention: Mention }) {
  const { noteId, botId, conversationId, createdAt, author, excerpt, readAt, user } = mention;
  const { bot, note } = useInboxSearch();
  const isUnread = readAt === undefined;
  return (
    <Link
      className={panes.item}
      to={conversationPath(botId, conversationId) as string}
      search={{ view: 'mentions', bot, note: noteId }}
      data-conversation={conversationId}
      data-mention={noteId}
      {...(note === noteId ? { 'aria-current': 'page' as const } : {})}
    >
      <Person name={actorName(author)} id={author.id} size={34} />
      <span className={panes.itemText}>
        <span className={panes.itemHead}>
          <span className={panes.itemName} dir="auto" data-strong={isUnread}>
            {actorName(author)}
          </span>
          <time dateTime={createdAt} title={formatWhole(createdAt)} className="number">
            {formatShort(createdAt)}
          </time>
        </span>
        <span className={panes.itemHead}>
          <span className={panes.itemSummary} data-strong={isUnread}>
            <bdi>{excerpt}</bdi>
          </span>
          {isUnread && <span className={classes.unread} role="img" aria-label={t('unread')} />}
        </span>
        <span className={classes.meta}>
          <bdi className={classes.reason}>{user ? personName(user) : t('customer')}</bdi>
        </span>
      </span>
    </Link>
  );
}
