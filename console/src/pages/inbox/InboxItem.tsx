/** A conversation in the list of the inbox. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useBotClient } from '../../api/clients.ts';
import type { Handoff } from '../../api/contract.ts';
import { joinNames } from '../../messages/bidi.ts';
import { inbox } from '../../messages/en/inbox.ts';
import { translator } from '../../messages/translate.ts';
import { summaryOf } from '../../parts/Payload.tsx';
import { Person } from '../../parts/Person.tsx';
import { formatShort, formatSince, formatWhole } from '../../parts/time.ts';
import panes from '../conversations/Conversations.module.css';
import { isMember } from '../conversations/useConversations.ts';
import { actorName } from './actorName.ts';
import { useDraft } from './drafts.ts';
import classes from './Inbox.module.css';
import type { View } from './inboxViews.ts';
import { useUnread } from './useInbox.ts';
import { useOutbox } from './useOutbox.ts';
import { nameOfUser } from './usePeople.ts';
import { useTeam } from './useTeam.ts';

const t = translator('inbox', inbox);

interface InboxItemProps {
  botId: string;
  view: View;
  conversationId: string;
  handoff: Handoff | undefined;
  /** Time of the latest message. */
  activityAt: string;
  /** Changes with each new and each deleted message. */
  version: string;
  isOpen: boolean;
  /** Shows the item only if it contains these words. */
  words: string | undefined;
}

/** Reads the participants and the latest message, and re-reads both after each change. */
function usePreview(botId: string, conversationId: string, version: string) {
  const client = useBotClient(botId);
  return useQuery({
    queryKey: ['preview', botId, conversationId, version, 'inbox'],
    queryFn: async () => {
      const [{ participants }, { messages }] = await Promise.all([
        client.listParticipants({ id: conversationId }),
        client.listMessages({ conversationId, pageSize: 1 }),
      ]);
      return { participants, latest: messages[0] };
    },
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: before => before,
  });
}

export function InboxItem(props: InboxItemProps) {
  const { botId, view, conversationId, handoff, activityAt, version, isOpen, words } = props;
  const { data } = usePreview(botId, conversationId, version);
  const { ownId } = useTeam();
  const unread = useUnread(botId);
  const draft = useDraft(conversationId);
  const hasFailed = useOutbox(conversationId).some(({ state }) => state === 'failed');
  const people = (data?.participants ?? []).filter(each => each.id !== botId && !isMember(each));
  const name = joinNames(people.map(nameOfUser));
  const { latest } = data ?? {};
  const summary = latest ? summaryOf(latest.type, latest.payload) : '';
  const searched = [name, conversationId, summary, handoff?.reason ?? '', handoff?.member?.name ?? ''];
  if (words && !searched.some(each => each.toLowerCase().includes(words))) return null;
  const isUnread = handoff !== undefined && unread.has(handoff.id);
  const author = latest && authorOf(latest.userId, botId, handoff, ownId);
  return (
    <Link
      className={panes.item}
      to={`/bots/${botId}/inbox/${conversationId}` as string}
      search={{ view }}
      data-conversation={conversationId}
      {...(isOpen ? { 'aria-current': 'page' as const } : {})}
    >
      <Person
        name={people[0] ? nameOfUser(people[0]) : ''}
        id={people[0]?.id ?? conversationId}
        pictureUrl={people[0]?.pictureUrl}
        size={34}
      />
      <span className={panes.itemText}>
        <span className={panes.itemHead}>
          <span className={panes.itemName} dir="auto" data-strong={isUnread}>
            {name || conversationId}
          </span>
          <time dateTime={activityAt} title={formatWhole(activityAt)} className="number">
            {formatShort(activityAt)}
          </time>
        </span>
        <span className={panes.itemHead}>
          <span className={panes.itemSummary} data-strong={isUnread}>
            {hasFailed && <span className={classes.failed}>{t('notSent')} </span>}
            {draft.text && !isOpen ? (
              <>
                <span className={classes.draft}>{t('draft')}</span> <bdi>{draft.text}</bdi>
              </>
            ) : (
              <>
                {author && (
                  <span>
                    <bdi>{author}</bdi>:
                  </span>
                )}
                <bdi>{summary || t('noMessages')}</bdi>
              </>
            )}
          </span>
          {isUnread && <span className={classes.unread} role="img" aria-label={t('unread')} />}
        </span>
        {handoff && <Meta handoff={handoff} view={view} ownId={ownId} />}
      </span>
    </Link>
  );
}

/** Returns the name before a message of the team. */
function authorOf(userId: string, botId: string, handoff: Handoff | undefined, ownId: string): string | undefined {
  if (userId === botId) return t('bot');
  if (userId !== handoff?.member?.userId) return undefined;
  return handoff.member.id === ownId ? t('you') : handoff.member.name;
}

/** The state of the handoff, unless the view implies it. */
function Meta({ handoff, view, ownId }: { handoff: Handoff; view: View; ownId: string }) {
  const { status, startedAt, member, reason, endedBy } = handoff;
  if (status === 'waiting')
    return (
      <span className={classes.meta}>
        <span className={classes.chip} data-kind="waiting" title={t('waits')}>
          {view === 'waiting' ? formatSince(startedAt) : t('waitingSince', { time: formatSince(startedAt) })}
        </span>
        {reason && (
          <span className={classes.reason} dir="auto">
            {reason}
          </span>
        )}
      </span>
    );
  if (status === 'closed')
    return (
      <span className={classes.meta}>
        <span className={classes.reason}>{endedBy && t('closedBy', { name: actorName(endedBy) })}</span>
      </span>
    );
  if (!member || view === 'mine' || view === 'unread') return null;
  return (
    <span className={classes.meta}>
      <span className={classes.chip} data-kind="served">
        {member.id === ownId ? t('you') : member.name}
      </span>
    </span>
  );
}
