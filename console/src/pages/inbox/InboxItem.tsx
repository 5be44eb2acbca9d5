/** A conversation in the list of the inbox. */

import { Skeleton } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { memo } from 'react';
import type { Handoff, HandoffRow } from '../../api/contract.ts';
import { IconAlarmSnooze } from '../../icons/tabler.ts';
import { joinNames } from '../../messages/bidi.ts';
import { inbox } from '../../messages/en/inbox.ts';
import { translator } from '../../messages/translate.ts';
import { conversationPath, useInboxSearch, type View } from '../../navigation/inboxAddress.ts';
import { previewOf, summaryOf } from '../../parts/Payload.tsx';
import { Person } from '../../parts/Person.tsx';
import { personName } from '../../parts/personName.ts';
import { StateChip } from '../../parts/StateChip.tsx';
import { formatShort, formatSince, formatTime, formatWhole } from '../../parts/time.ts';
import { useMinute } from '../../parts/useMinute.ts';
import panes from '../conversations/Conversations.module.css';
import { type Conversation, usePreview } from '../conversations/useConversations.ts';
import { endedText } from './actorName.ts';
import { useAnyDraft } from './drafts.ts';
import classes from './Inbox.module.css';
import { RowLabels } from './RowLabels.tsx';
import { SelectRow } from './SelectRow.tsx';
import { useOutbox } from './useOutbox.ts';
import { useCaller } from './useTeam.ts';

const t = translator('inbox', inbox);

interface InboxItemProps {
  botId: string;
  view: View;
  conversationId: string;
  updatedAt: string;
  handoff?: HandoffRow | undefined;
  conversation?: Conversation | undefined;
  /** Set when the list mixes bots. */
  botName: string | undefined;
  isOpen: boolean;
}

interface Latest {
  at: string;
  author: 'user' | 'bot' | 'member';
  summary: string;
}

interface Shown {
  people: { id: string; name?: string | undefined; pictureUrl?: string | undefined }[];
  latest?: Latest | undefined;
  isLoading?: boolean;
}

type LastMessage = NonNullable<NonNullable<HandoffRow['preview']>['lastMessage']>;

const latestOf = ({ createdAt, author, type, text }: LastMessage): Shown['latest'] => ({
  at: createdAt,
  author,
  summary: previewOf({ type, text }),
});

/** Rendered again only if its row changes, because scrolling renders the list. */
export const InboxItem = memo((props: InboxItemProps) => {
  const { preview } = props.handoff ?? {};
  if (!preview) return <ReadItem {...props} />;
  const { user, lastMessage } = preview;
  return <Item {...props} people={user ? [user] : []} latest={lastMessage && latestOf(lastMessage)} />;
});

/** Handoffs contain what their row shows. Of other conversations, it is read. */
function ReadItem(props: InboxItemProps) {
  const { botId, conversationId, conversation, updatedAt } = props;
  const { data: read, isPending } = usePreview(
    botId,
    conversation ?? ({ id: conversationId, updatedAt } as Conversation),
  );
  const latest = read?.latest;
  const author =
    latest?.userId === botId ? 'bot' : read?.people.some(({ id }) => id === latest?.userId) ? 'user' : 'member';
  return (
    <Item
      {...props}
      people={read?.people ?? []}
      isLoading={isPending}
      latest={latest && { at: latest.createdAt, author, summary: summaryOf(latest.type, latest.payload) }}
    />
  );
}

function Item(props: InboxItemProps & Shown) {
  const { botId, view, conversationId, handoff, conversation, updatedAt, botName, isOpen } = props;
  const { people, latest, isLoading } = props;
  const { bot, label } = useInboxSearch();
  const { ownId, mayHandle } = useCaller();
  const draft = useAnyDraft(conversationId);
  const hasFailed = useOutbox(conversationId).some(({ state }) => state === 'failed');
  const name = joinNames(people.map(personName));
  const summary = latest?.summary ?? '';
  const activityAt = latest?.at ?? updatedAt;
  const isUnread = handoff?.isUnread === true && handoff.member?.id === ownId;
  const author = latest && authorOf(latest, handoff, ownId);
  const isSelectable = mayHandle && handoff !== undefined && handoff.status !== 'closed';
  const link = (
    <Link
      className={panes.item}
      to={conversationPath(botId, conversationId) as string}
      search={{ view, bot, label }}
      data-conversation={conversationId}
      {...(isOpen ? { 'aria-current': 'page' as const } : {})}
    >
      <Person
        name={people[0] ? personName(people[0]) : ''}
        id={people[0]?.id ?? conversationId}
        pictureUrl={people[0]?.pictureUrl}
        size={34}
      />
      <span className={panes.itemText}>
        <span className={panes.itemHead}>
          <span className={panes.itemName} dir="auto" data-strong={isUnread}>
            {name ||
              (isLoading ? <Skeleton component="span" display="block" height={12} width={120} /> : conversationId)}
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
                {isLoading ? (
                  <Skeleton component="span" display="block" height={10} width={180} />
                ) : (
                  <bdi>{summary || t('noMessages')}</bdi>
                )}
              </>
            )}
          </span>
          {isUnread && <span className={classes.unread} role="img" aria-label={t('unread')} />}
        </span>
        <Meta handoff={handoff} view={view} ownId={ownId} botName={botName} />
        <RowLabels ids={handoff?.preview?.labelIds ?? conversation?.labelIds} />
      </span>
    </Link>
  );
  if (!isSelectable) return link;
  return (
    <SelectRow conversationId={conversationId} name={name || conversationId}>
      {link}
    </SelectRow>
  );
}

/** Returns the name before a message of the team. */
function authorOf({ author, at }: Latest, handoff: Handoff | undefined, ownId: string): string | undefined {
  if (author === 'bot') return t('bot');
  if (author === 'user') return undefined;
  // A message from before the latest assignment may be another agent's.
  if (!handoff?.member || (handoff.servedAt !== undefined && at < handoff.servedAt)) return t('agent');
  return handoff.member.id === ownId ? t('you') : handoff.member.name;
}

interface MetaProps {
  handoff: Handoff | undefined;
  view: View;
  ownId: string;
  botName: string | undefined;
}

/** The state of the handoff, unless the view implies it, and the bot in a list of several. */
function Meta({ handoff, view, ownId, botName }: MetaProps) {
  const shown = handoff && hasState(handoff, view) ? handoff : undefined;
  if (!shown && botName === undefined && !(handoff && hasPriority(handoff))) return null;
  return (
    <span className={classes.meta}>
      {handoff && <Priority handoff={handoff} />}
      {shown && <State handoff={shown} view={view} ownId={ownId} />}
      {botName !== undefined && <BotName name={botName} />}
    </span>
  );
}

const hasPriority = ({ status, priority }: Handoff): boolean => status !== 'closed' && priority !== 'normal';

const Priority = ({ handoff }: { handoff: Handoff }) =>
  hasPriority(handoff) && (
    <StateChip status={handoff.priority === 'low' ? 'snoozed' : 'urgent'} title={t('priority')}>
      {t(`priority_${handoff.priority}`)}
    </StateChip>
  );

const BotName = ({ name }: { name: string }) => (
  <bdi className={classes.bot} title={name}>
    {name}
  </bdi>
);

/** The assignee of the member's own conversations is implied. */
const hasState = ({ status, member, snoozedUntil }: Handoff, view: View): boolean =>
  status !== 'served' || snoozedUntil !== undefined || (member !== undefined && view !== 'mine' && view !== 'unread');

function State({ handoff, view, ownId }: { handoff: Handoff; view: View; ownId: string }) {
  const { status, startedAt, member, reason, snoozedUntil } = handoff;
  const since = formatSince(startedAt, useMinute());
  if (snoozedUntil)
    return (
      <>
        <StateChip status="snoozed" title={t('snoozedUntil', { time: formatWhole(snoozedUntil) })}>
          <IconAlarmSnooze size={12} role="img" aria-label={t('view_snoozed')} />
          {formatTime(snoozedUntil, false)}
        </StateChip>
        {member && <StateChip status="served">{member.id === ownId ? t('you') : member.name}</StateChip>}
      </>
    );
  if (status === 'waiting')
    return (
      <>
        <StateChip status="waiting" title={t('waits')}>
          {view === 'waiting' ? since : t('waitingSince', { time: since })}
        </StateChip>
        {reason && (
          <span className={classes.reason} dir="auto">
            {reason}
          </span>
        )}
      </>
    );
  if (status === 'closed') return <span className={classes.reason}>{endedText(handoff)}</span>;
  return <StateChip status="served">{member?.id === ownId ? t('you') : member?.name}</StateChip>;
}
