import { ActionIcon, Button, Center, Skeleton, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useBotClient } from '../../api/clients.ts';
import { useLive } from '../../api/live/useLive.ts';
import { useHandoffsOf } from '../../api/useHandoffsOf.ts';
import { IconArrowLeft, IconLayoutSidebarRight } from '../../icons/tabler.ts';
import { joinNames } from '../../messages/bidi.ts';
import { conversation as texts } from '../../messages/en/conversation.ts';
import { translator } from '../../messages/translate.ts';
import { useBotId, useConversationId } from '../../navigation/useRoute.ts';
import { Monogram } from '../../parts/Monogram.tsx';
import { usePageTitle } from '../../parts/pageTitle.ts';
import { personName } from '../../parts/personName.ts';
import { Tags } from '../../parts/Small.tsx';
import { Empty, Failure, Loading } from '../../parts/States.tsx';
import { Thread, type ThreadMessage } from '../../parts/Thread.tsx';
import classes from './Conversations.module.css';
import { Delivery, ownTags } from './Delivery.tsx';
import { Details } from './Details.tsx';
import { EarlierMessages } from './EarlierMessages.tsx';
import { handoffLines } from './handoffLines.ts';
import { isMember, useParticipants } from './useConversations.ts';
import { useDetailsPane } from './useDetailsPane.tsx';
import { useDeliveries, useMessages } from './useMessages.ts';

const t = translator('conversation', texts);

/** Width below which a drawer shows the details. */
const WIDE = '(min-width: 75em)';

export function Conversation() {
  const botId = useBotId();
  const id = useConversationId();
  return <OpenConversation key={`${botId} ${id}`} botId={botId} id={id} />;
}

function OpenConversation({ botId, id }: { botId: string; id: string }) {
  const { isExpanded, toggle, paneOf } = useDetailsPane({ wide: WIDE, label: t('details') });
  const client = useBotClient(botId);
  const query = useQuery({
    queryKey: ['conversation', botId, id],
    queryFn: async () => (await client.getConversation({ id })).conversation,
    ...useLive(botId),
  });
  const { data: participants = [], isPending } = useParticipants(botId, id);
  const people = participants.filter(each => each.id !== botId && !isMember(each));
  const title = joinNames(people.map(personName)) || id;
  usePageTitle(isPending ? t('one') : title);
  const details = query.data && <Details botId={botId} conversation={query.data} participants={participants} />;
  return (
    <>
      <section className={classes.open} aria-label={t('one')} data-open-conversation={id}>
        <div className={classes.bar}>
          <ActionIcon
            className={classes.back}
            component={Link}
            to={`/bots/${botId}/conversations` as string}
            search
            variant="subtle"
            color="gray"
            aria-label={t('back')}
          >
            <IconArrowLeft size={18} />
          </ActionIcon>
          <Monogram name={people[0] ? personName(people[0]) : ''} id={people[0]?.id ?? id} size={28} />
          <Title order={1} size="h3" flex={1} lineClamp={1} style={{ overflowWrap: 'anywhere' }}>
            {isPending ? <Skeleton height={16} width={180} my={4} aria-label={t('one')} role="img" /> : title}
          </Title>
          <Button
            size="xs"
            variant="default"
            leftSection={<IconLayoutSidebarRight size={14} aria-hidden />}
            aria-expanded={isExpanded}
            onClick={toggle}
          >
            {t('details')}
          </Button>
        </div>
        {query.error && !query.data ? (
          <Center p="md">
            <Failure error={query.error} retry={() => void query.refetch()} />
          </Center>
        ) : (
          <Messages botId={botId} id={id} />
        )}
      </section>
      {paneOf(details)}
    </>
  );
}

type Item = ThreadMessage & { tags?: Record<string, string> };

function Messages({ botId, id }: { botId: string; id: string }) {
  const list = useMessages(botId, id);
  const deliveries = useDeliveries(botId, id, list.items.length);
  const { data: participants = [] } = useParticipants(botId, id);
  const handoffs = useHandoffsOf(botId, id);
  const names = new Map(participants.map(each => [each.id, each.name]));
  const members = new Set(participants.filter(isMember).map(each => each.id));
  if (list.isLoading && !list.error)
    return (
      <div style={{ padding: 16 }}>
        <Loading />
      </div>
    );
  if (list.items.length === 0)
    return list.error ? (
      <Center p="md">
        <Failure error={list.error} retry={() => void list.reload()} />
      </Center>
    ) : (
      <Empty title={t('noMessages')}>{t('noMessagesAbout')}</Empty>
    );
  const messages: Item[] = list.items.toReversed();
  // Lines before the first loaded message appear with it.
  const start = list.hasMore ? messages[0]!.createdAt : '';
  const lines: Item[] = handoffLines(handoffs.items).filter(({ createdAt }) => createdAt >= start);
  const items = [...messages, ...lines].sort((a, b) => a.createdAt.localeCompare(b.createdAt));
  return (
    <Thread
      messages={items}
      isOwn={userId => userId === botId || members.has(userId)}
      nameOf={userId => (userId === botId ? t('bot') : personName({ name: names.get(userId), id: userId }))}
      top={<EarlierMessages list={list} />}
      below={(message, isLastOfGroup) => (
        <>
          <Tags tags={ownTags(message.tags)} />
          <Delivery
            botId={botId}
            message={message}
            event={deliveries.get(message.id)}
            isLastOfGroup={isLastOfGroup}
            isOutgoing={message.userId === botId}
          />
        </>
      )}
    />
  );
}
