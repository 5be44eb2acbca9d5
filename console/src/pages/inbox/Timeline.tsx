/** Messages, notes, changes of the handoff, and unsent entries. */

import { Button, Center, Text, UnstyledButton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type Ref, useEffect, useRef } from 'react';
import { useParley } from '../../api/clients.ts';
import type { Handoff, Note } from '../../api/contract.ts';
import { explain } from '../../api/explain.ts';
import { useLive } from '../../api/live/useLive.ts';
import type { Parley } from '../../api/parley.ts';
import { useAction } from '../../api/useAction.ts';
import { useHandoffsOf } from '../../api/useHandoffsOf.ts';
import { inbox } from '../../messages/en/inbox.ts';
import { translator } from '../../messages/translate.ts';
import { useInboxSearch } from '../../navigation/inboxAddress.ts';
import { Tags } from '../../parts/Small.tsx';
import { Empty, Failure, Loading } from '../../parts/States.tsx';
import { Thread } from '../../parts/Thread.tsx';
import { formatTime } from '../../parts/time.ts';
import { Delivery, ownTags } from '../conversations/Delivery.tsx';
import { EarlierMessages } from '../conversations/EarlierMessages.tsx';
import { assignmentLine, ratingLine } from '../conversations/handoffLines.ts';
import { useDeliveries } from '../conversations/useMessages.ts';
import { endedText } from './actorName.ts';
import { conflictOf, conflictText } from './conflict.ts';
import classes from './Inbox.module.css';
import { authorOfNote, type HandoffTexts, type TimelineItem, timelineOf } from './inboxTimeline.ts';
import { MentionedText } from './MentionedText.tsx';
import type { Outgoing } from './replyOutbox.ts';
import { useReadMentions } from './useMentions.ts';
import { outbox, useOutbox } from './useOutbox.ts';
import { usePeople } from './usePeople.ts';
import { useSend } from './useSend.ts';
import { useCaller, useTeam } from './useTeam.ts';
import { useThread } from './useThread.ts';

const t = translator('inbox', inbox);

const texts: HandoffTexts = {
  requested: (name, reason) => (reason ? t('lineRequestedReason', { name, reason }) : t('lineRequested', { name })),
  rated: ratingLine,
  snoozed: (name, until) => t('lineSnoozed', { name, time: formatTime(until, false) }),
  woken: () => t('lineWoken'),
  ended: endedText,
  served: assignmentLine,
};

const NO_NOTES: Note[] = [];

interface TimelineProps {
  botId: string;
  id: string;
  handoff: Handoff | undefined;
  ref: Ref<HTMLDivElement>;
}

export function Timeline({ botId, id, handoff, ref }: TimelineProps) {
  const parley = useParley(botId);
  const list = useThread(botId, id);
  const handoffs = useHandoffsOf(botId, id);
  const people = usePeople(botId, id);
  const { ownId, members } = useTeam();
  const outgoing = useOutbox(id);
  const events = useDeliveries(botId, id, list.items.length);
  const { data: notes = NO_NOTES } = useQuery({
    queryKey: ['notes', botId, id],
    queryFn: () => allNotes(parley, id),
    ...useLive(botId),
  });
  useReadMentions(notes);
  useReadMark(botId, handoff, list.items.find(({ userId }) => !people.isTeam(userId))?.id);
  useSentItems(outgoing, [...list.items, ...notes]);
  const items = timelineOf({
    messages: list.items,
    notes,
    handoffs: handoffs.items,
    outgoing,
    ownUserId: handoff?.member?.id === ownId ? handoff.member.userId : undefined,
    ownId,
    texts,
    hasEarlier: list.hasMore,
  });
  useShownNote(items, list);
  const ownName = members.find(({ userId }) => userId === ownId)?.name ?? t('you');
  const nameOf = (userId: string): string => {
    const noteBy = authorOfNote(userId);
    if (noteBy === ownId || userId === ownId) return ownName;
    return noteBy === undefined
      ? people.nameOf(userId)
      : (notes.find(({ author }) => author.id === noteBy)?.author.name ?? noteBy);
  };
  if (list.isLoading && !list.error)
    return (
      <div style={{ flex: 1, padding: 16 }}>
        <Loading />
      </div>
    );
  if (items.length === 0)
    return list.error ? (
      <Center p="md" flex={1}>
        <Failure error={list.error} retry={() => void list.reload()} />
      </Center>
    ) : (
      <Center flex={1}>
        <Empty title={t('noMessages')}>{t('noMessagesAbout')}</Empty>
      </Center>
    );
  return (
    <div ref={ref} style={{ display: 'contents' }}>
      <Thread
        messages={items}
        isOwn={userId => userId === ownId || people.isTeam(userId)}
        nameOf={nameOf}
        isBot={userId => userId === botId}
        personOf={userId => authorOfNote(userId) ?? people.personOf(userId)}
        pictureOf={userId =>
          people.pictureOf(userId) ??
          members.find(member => member.userId === (authorOfNote(userId) ?? userId))?.pictureUrl
        }
        top={<EarlierMessages list={list} />}
        contentOf={({ note }) =>
          note?.mentions ? <MentionedText text={note.text} members={note.mentions} /> : undefined
        }
        below={(item, isLastOfGroup) => (
          <Below
            botId={botId}
            item={item}
            event={events.get(item.id)}
            isLastOfGroup={isLastOfGroup}
            isTeam={people.isTeam(item.userId)}
          />
        )}
      />
    </div>
  );
}

/** Maximum number of notes to show. */
const MOST_NOTES = 1_000;

async function allNotes(parley: Parley, conversationId: string): Promise<Note[]> {
  const all: Note[] = [];
  let nextToken: string | undefined;
  do {
    const { notes, meta } = await parley.listNotes(conversationId, nextToken);
    all.push(...notes);
    nextToken = meta.nextToken;
  } while (nextToken !== undefined && all.length < MOST_NOTES);
  return all;
}

type Events = ReturnType<typeof useDeliveries>;

function Below(props: {
  botId: string;
  item: TimelineItem;
  event: Events extends Map<string, infer Event> ? Event | undefined : never;
  isLastOfGroup: boolean;
  isTeam: boolean;
}) {
  const { botId, item, event, isLastOfGroup, isTeam } = props;
  if (item.outgoing) return <SendingState botId={botId} outgoing={item.outgoing} />;
  if (item.note) return <DeleteNote botId={botId} note={item.note} />;
  return (
    <>
      <Tags tags={ownTags(item.tags)} />
      <Delivery
        botId={botId}
        message={item}
        // While a member is assigned, the bot receives no messages of the conversation.
        event={event?.status === 'ignored' ? undefined : event}
        isLastOfGroup={isLastOfGroup}
        isOutgoing={isTeam}
      />
    </>
  );
}

/** Scrolls to the note of the address, and loads earlier messages until it is shown. */
function useShownNote(items: readonly TimelineItem[], list: ReturnType<typeof useThread>): void {
  const { note } = useInboxSearch();
  const shown = useRef<string>(undefined);
  const isShown = note !== undefined && items.some(({ id }) => id === note);
  const { hasMore, isLoadingMore, loadMore } = list;
  useEffect(() => {
    if (note === undefined || shown.current === note) return;
    if (!isShown) {
      if (hasMore && !isLoadingMore) loadMore();
      return;
    }
    shown.current = note;
    const element = document.querySelector(`[data-message="${CSS.escape(note)}"]`);
    element?.scrollIntoView({ block: 'center' });
    element?.setAttribute('data-target', 'true');
  }, [note, isShown, hasMore, isLoadingMore, loadMore]);
}

/** Marks the conversation as read while the member has it open. */
function useReadMark(botId: string, handoff: Handoff | undefined, lastMessageId: string | undefined): void {
  const parley = useParley(botId);
  const mark = useAction(
    ({ id, messageId }: { id: string; messageId: string }) =>
      // Another member may have taken over. The list shows it.
      parley.markHandoffRead(id, messageId).catch(error => {
        if (!conflictOf(error)) throw error;
      }),
    { changes: [['handoffs', botId]] },
  );
  const { mutate } = mark;
  const { ownId } = useCaller();
  const handoffId = handoff?.isUnread && handoff.member?.id === ownId ? handoff.id : undefined;
  useEffect(() => {
    if (!handoffId || !lastMessageId) return;
    const read = () => {
      if (document.visibilityState === 'visible') mutate({ id: handoffId, messageId: lastMessageId });
    };
    read();
    document.addEventListener('visibilitychange', read);
    return () => document.removeEventListener('visibilitychange', read);
  }, [handoffId, lastMessageId, mutate]);
}

/** Removes sent entries from the outbox as soon as the API lists them. */
function useSentItems(outgoing: readonly Outgoing[], listed: readonly { id: string }[]): void {
  useEffect(() => {
    const known = new Set(listed.map(({ id }) => id));
    for (const each of outgoing) if (each.id !== undefined && known.has(each.id)) outbox.remove(each);
  });
}

function SendingState({ botId, outgoing }: { botId: string; outgoing: Outgoing }) {
  const send = useSend(botId);
  if (outgoing.state !== 'failed') return <span className={classes.state}>{t('sending')}</span>;
  const conflict = conflictOf(outgoing.error);
  const { message, isOffline } = explain(outgoing.error);
  const reason = conflict ? conflictText(conflict) : isOffline ? t('offline') : message;
  return (
    <div className={classes.state} data-failed role="alert">
      <strong>{t('notSent')}</strong>
      <Text span size="xs" style={{ overflowWrap: 'anywhere' }}>
        {reason}
      </Text>
      <Button size="compact-xs" variant="default" onClick={() => outbox.retry(outgoing, send)}>
        {t('sendAgain')}
      </Button>
      <Button size="compact-xs" variant="subtle" color="gray" onClick={() => outbox.remove(outgoing)}>
        {t('discard')}
      </Button>
    </div>
  );
}

function DeleteNote({ botId, note }: { botId: string; note: Note }) {
  const parley = useParley(botId);
  const { ownId, mayHandle, mayDeleteNotes } = useCaller();
  const remove = useAction(() => parley.deleteNote(note.id), { changes: [['notes', botId, note.conversationId]] });
  if (!mayDeleteNotes && !(mayHandle && note.author.id === ownId)) return null;
  return (
    <UnstyledButton className={classes.deleteNote} disabled={remove.isPending} onClick={() => remove.mutate(undefined)}>
      {t('deleteNote')}
    </UnstyledButton>
  );
}
