/** The open conversation of the inbox: its thread, the composer and the actions of the member. */

import { ActionIcon, Center, Skeleton, Title, Tooltip } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { useBotClient } from '../../api/clients.ts';
import type { Handoff } from '../../api/contract.ts';
import { useLive } from '../../api/live/useLive.ts';
import { useHandoffsOf } from '../../api/useHandoffsOf.ts';
import { type Icon, IconArrowLeft, IconLayoutSidebarRight, IconSearch } from '../../icons/tabler.ts';
import { inbox } from '../../messages/en/inbox.ts';
import { translator } from '../../messages/translate.ts';
import { useInboxSearch } from '../../navigation/inboxAddress.ts';
import { useBotId, useConversationId } from '../../navigation/useRoute.ts';
import { Person } from '../../parts/Person.tsx';
import { usePageTitle } from '../../parts/pageTitle.ts';
import { personName } from '../../parts/personName.ts';
import { Status, type StatusKind } from '../../parts/Small.tsx';
import { Failure, Loading } from '../../parts/States.tsx';
import panes from '../conversations/Conversations.module.css';
import type { Conversation } from '../conversations/useConversations.ts';
import { useDetailsPane } from '../conversations/useDetailsPane.tsx';
import attachmentClasses from './Attachments.module.css';
import { MAX_FILE_MEGABYTES } from './attachmentFiles.ts';
import type { ComposerHandle } from './Composer.tsx';
import { HandoffView } from './HandoffView.tsx';
import { InboxDetails } from './InboxDetails.tsx';
import { TranscriptMenu } from './TranscriptMenu.tsx';
import { useClosings } from './useClosing.ts';
import { useFileDrop } from './useFileDrop.ts';
import { type Outcome, useHandoffActions } from './useHandoffActions.ts';
import { type People, usePeople } from './usePeople.ts';
import { useOwnPresence } from './usePresence.ts';
import { useCaller } from './useTeam.ts';
import { VisitorStatus } from './VisitorStatus.tsx';

const t = translator('inbox', inbox);

/** Width below which a drawer shows the details. */
const WIDE = '(min-width: 84em)';

export function InboxConversation() {
  const botId = useBotId();
  const id = useConversationId();
  useClosings(botId);
  useOwnPresence(botId, id);
  return <OpenConversation key={`${botId} ${id}`} botId={botId} id={id} />;
}

function OpenConversation({ botId, id }: { botId: string; id: string }) {
  const { isExpanded, toggle, paneOf } = useDetailsPane({ wide: WIDE, label: t('details') });
  const { find } = useInboxSearch();
  const [isFinding, setFinding] = useState(false);
  useEffect(() => {
    if (find !== undefined) setFinding(true);
  }, [find]);
  const [isLabelling, setLabelling] = useState(false);
  const client = useBotClient(botId);
  const query = useQuery({
    queryKey: ['conversation', botId, id],
    queryFn: async () => (await client.getConversation({ id })).conversation as Conversation,
    ...useLive(botId),
  });
  const handoffs = useHandoffsOf(botId, id);
  const [latest] = handoffs.items;
  const people = usePeople(botId, id);
  const actions = useHandoffActions(botId, id, latest);
  const composer = useRef<ComposerHandle>(null);
  const label = () => {
    if (!isExpanded) toggle();
    setLabelling(true);
  };
  const { isOver, dropProps } = useFileDrop(files => composer.current?.attach(files));
  const title = people.title || id;
  usePageTitle(title);
  const details = query.data && (
    <InboxDetails
      botId={botId}
      conversation={query.data}
      people={people}
      handoff={latest}
      isLabelling={isLabelling}
      setLabelling={setLabelling}
    />
  );
  return (
    <>
      <section className={panes.open} aria-label={t('conversation')} data-open-conversation={id} {...dropProps}>
        {isOver && <div className={attachmentClasses.drop}>{t('dropFiles', { megabytes: MAX_FILE_MEGABYTES })}</div>}
        <div className={panes.bar}>
          <BackLink />
          <Heading botId={botId} id={id} people={people} title={title} />
          {!handoffs.isLoading && <HandoffStatus handoff={latest} closing={actions.closing} />}
          <span style={{ flex: 1 }} />
          <BarButton
            label={t('find')}
            Icon={IconSearch}
            isExpanded={isFinding}
            onClick={() => setFinding(!isFinding)}
          />
          <TranscriptMenu botId={botId} conversationId={id} title={title} />
          <BarButton label={t('details')} Icon={IconLayoutSidebarRight} isExpanded={isExpanded} onClick={toggle} />
        </div>
        {query.error && !query.data ? (
          <Center p="md">
            <Failure error={query.error} retry={() => void query.refetch()} />
          </Center>
        ) : (
          <HandoffView
            botId={botId}
            id={id}
            latest={latest}
            isLoading={handoffs.isLoading}
            actions={actions}
            isFinding={isFinding}
            setFinding={setFinding}
            isLabelling={isLabelling}
            label={label}
            composer={composer}
          />
        )}
      </section>
      {paneOf(
        details ?? (
          <div style={{ padding: 16 }}>
            <Loading />
          </div>
        ),
      )}
    </>
  );
}

interface BarButtonProps {
  label: string;
  Icon: Icon;
  isExpanded: boolean;
  onClick: () => void;
}

const BarButton = ({ label, Icon, isExpanded, onClick }: BarButtonProps) => (
  <Tooltip label={label}>
    <ActionIcon variant="subtle" color="gray" aria-label={label} aria-expanded={isExpanded} onClick={onClick}>
      <Icon size={16} />
    </ActionIcon>
  </Tooltip>
);

function Heading({ botId, id, people, title }: { botId: string; id: string; people: People; title: string }) {
  const [user] = people.users;
  return (
    <>
      {people.isLoading ? (
        <Skeleton circle height={28} style={{ flex: 'none' }} />
      ) : (
        <Person name={user ? personName(user) : ''} id={user?.id ?? id} pictureUrl={user?.pictureUrl} size={28} />
      )}
      <div style={{ minWidth: 0 }}>
        <Title order={1} size="h3" lineClamp={1} style={{ overflowWrap: 'anywhere' }}>
          {people.isLoading ? <Skeleton component="span" display="block" height={14} width={160} /> : title}
        </Title>
        <VisitorStatus botId={botId} id={id} />
      </div>
    </>
  );
}

function BackLink() {
  const { view, bot, label } = useInboxSearch();
  return (
    <Link
      className={panes.back}
      to={'/inbox' as string}
      search={{ view, bot, label }}
      aria-label={t('back')}
      style={{ color: 'inherit', padding: 4 }}
    >
      <IconArrowLeft size={18} aria-hidden />
    </Link>
  );
}

function HandoffStatus({ handoff, closing }: { handoff: Handoff | undefined; closing: Outcome | undefined }) {
  const { ownId } = useCaller();
  const [kind, label]: [StatusKind, string] = closing
    ? ['busy', t(`closingShort_${closing}`)]
    : statusOf(handoff, ownId);
  return <Status kind={kind}>{label}</Status>;
}

function statusOf(handoff: Handoff | undefined, ownId: string): [StatusKind, string] {
  if (!handoff) return ['idle', t('withBot')];
  if (handoff.snoozedUntil) return ['idle', t('view_snoozed')];
  if (handoff.status === 'waiting') return ['busy', t('waiting')];
  if (handoff.status === 'closed') return ['idle', t('closed')];
  return ['good', handoff.member?.id === ownId ? t('yours') : (handoff.member?.name ?? '')];
}
