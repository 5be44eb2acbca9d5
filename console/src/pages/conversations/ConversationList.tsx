import { Badge, Button, Group, Popover, Skeleton, Text, TextInput } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { IconFilter, IconSearch } from '../../icons/tabler.ts';
import { joinNames } from '../../messages/bidi.ts';
import { conversation as texts } from '../../messages/en/conversation.ts';
import { translator } from '../../messages/translate.ts';
import { useAddressText } from '../../navigation/useAddress.ts';
import { FilterText } from '../../parts/Fields.tsx';
import { Monogram } from '../../parts/Monogram.tsx';
import { summaryOf } from '../../parts/Payload.tsx';
import { personName } from '../../parts/personName.ts';
import { Empty } from '../../parts/States.tsx';
import { formatShort, formatWhole } from '../../parts/time.ts';
import classes from './Conversations.module.css';
import { ListPane } from './ListPane.tsx';
import { readSearch } from './readSearch.ts';
import { type Conversation, useConversationList, usePreview } from './useConversations.ts';

const t = translator('conversation', texts);

interface ConversationListProps {
  botId: string;
  openId: string | undefined;
}

export function ConversationList({ botId, openId }: ConversationListProps) {
  const search = useAddressText('search');
  const integration = useAddressText('integration');
  const list = useConversationList(botId, { text: search.wanted, integration: integration.wanted });
  const { words } = readSearch(search.wanted);
  const isFiltered = search.wanted !== '' || integration.wanted !== '';
  return (
    <>
      <Group gap={6} px={12} pb={10} wrap="nowrap" role="search">
        <TextInput
          flex={1}
          aria-label={t('search')}
          placeholder={t('searchPlaceholder')}
          leftSection={<IconSearch size={14} aria-hidden />}
          value={search.text}
          onChange={event => search.setText(event.currentTarget.value)}
        />
        <Popover position="bottom-end" shadow="md" width={260}>
          <Popover.Target>
            <Button variant="default" px={9} aria-label={t('filters')}>
              <IconFilter size={14} aria-hidden />
              {integration.wanted !== '' && (
                <Badge size="xs" circle ml={6}>
                  1
                </Badge>
              )}
            </Button>
          </Popover.Target>
          <Popover.Dropdown>
            <Text size="xs" c="dimmed" mb={4}>
              {t('integration')}
            </Text>
            <FilterText label={t('integration')} value={integration.text} onChange={integration.setText} />
          </Popover.Dropdown>
        </Popover>
      </Group>
      <ListPane
        list={list}
        count={list.items.length}
        label={t('list')}
        words={words}
        empty={<Empty title={t(isFiltered ? 'noMatch' : 'none')}>{t(isFiltered ? 'noMatchAbout' : 'noneAbout')}</Empty>}
      >
        {list.items.map(conversation => (
          <Item
            key={conversation.id}
            botId={botId}
            conversation={conversation}
            isOpen={conversation.id === openId}
            words={words}
          />
        ))}
      </ListPane>
    </>
  );
}

interface ItemProps {
  botId: string;
  conversation: Conversation;
  isOpen: boolean;
  words: string | undefined;
}

function Item({ botId, conversation, isOpen, words }: ItemProps) {
  const { data, isPending } = usePreview(botId, conversation);
  const { id, updatedAt, integration, tags } = conversation;
  const people = data?.people ?? [];
  const name = joinNames(people.map(personName)) || id;
  const latest = data?.latest;
  const summary = latest ? summaryOf(latest.type, latest.payload) : '';
  if (
    words &&
    ![name, id, summary, integration, ...Object.values(tags)].some(each => each.toLowerCase().includes(words))
  )
    return null;
  return (
    <Link
      className={classes.item}
      to={`/bots/${botId}/conversations/${id}` as string}
      search
      data-conversation={id}
      {...(isOpen ? { 'aria-current': 'page' as const } : {})}
    >
      <Monogram name={people[0]?.name ?? ''} id={people[0]?.id ?? id} size={32} />
      <span className={classes.itemText}>
        <span className={classes.itemHead}>
          <span className={classes.itemName} dir="auto">
            {isPending ? <Skeleton height={12} width={120} /> : name}
          </span>
          <time dateTime={updatedAt} title={formatWhole(updatedAt)} className="number">
            {formatShort(updatedAt)}
          </time>
        </span>
        <span className={classes.itemHead}>
          <span className={classes.itemSummary}>
            {isPending ? (
              <Skeleton height={10} width={160} />
            ) : latest?.userId === botId ? (
              t.rich('botSaid', { text: <bdi>{summary}</bdi> })
            ) : (
              <bdi>{summary || t('noMessages')}</bdi>
            )}
          </span>
          <span className={classes.itemVia}>{integration}</span>
        </span>
      </span>
    </Link>
  );
}
