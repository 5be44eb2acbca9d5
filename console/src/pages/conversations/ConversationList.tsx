import { Badge, Button, Group, Popover, Skeleton, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { IconFilter } from '../../icons/tabler.ts';
import { joinNames } from '../../messages/bidi.ts';
import { conversation as texts } from '../../messages/en/conversation.ts';
import { search as searchTexts } from '../../messages/en/search.ts';
import { translator } from '../../messages/translate.ts';
import { useAddressText } from '../../navigation/useAddress.ts';
import { FilterText } from '../../parts/Fields.tsx';
import { Monogram } from '../../parts/Monogram.tsx';
import { summaryOf } from '../../parts/Payload.tsx';
import { personName } from '../../parts/personName.ts';
import { SearchField } from '../../parts/SearchField.tsx';
import { Empty } from '../../parts/States.tsx';
import { formatShort, formatWhole } from '../../parts/time.ts';
import classes from './Conversations.module.css';
import { ListPane } from './ListPane.tsx';
import { readSearch } from './readSearch.ts';
import { SearchResults } from './SearchResults.tsx';
import { type Conversation, useConversationList, usePreview } from './useConversations.ts';

const t = translator('conversation', texts);
const ts = translator('search', searchTexts);

const isSearching = ({ text }: { text: string }): boolean => readSearch(text).words !== undefined;

interface ConversationListProps {
  botId: string;
  openId: string | undefined;
}

export function ConversationList({ botId, openId }: ConversationListProps) {
  const search = useAddressText('search');
  const integration = useAddressText('integration');
  const filters = { text: search.wanted, integration: integration.wanted };
  const isWords = isSearching(filters);
  const list = useConversationList(botId, filters, !isWords);
  const isFiltered = search.wanted !== '' || integration.wanted !== '';
  return (
    <>
      <Group gap={6} px={12} pb={10} wrap="nowrap">
        <SearchField
          label={ts('search')}
          placeholder={ts('placeholder')}
          value={search.text}
          onChange={search.setText}
          isReady={search.wanted === search.text.trim()}
        />
        <Popover position="bottom-end" shadow="md" width={260}>
          <Popover.Target>
            <Button
              variant="default"
              px={9}
              aria-label={t('filters')}
              disabled={isWords}
              title={isWords ? ts('filterOff') : undefined}
            >
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
      {isWords ? (
        <div className={classes.items}>
          <SearchResults
            botIds={[botId]}
            text={search.wanted}
            openId={openId}
            linkOf={(_, id) => ({ to: `/bots/${botId}/conversations/${id}` })}
          />
        </div>
      ) : (
        <ListPane
          list={list}
          count={list.items.length}
          label={t('list')}
          empty={
            <Empty title={t(isFiltered ? 'noMatch' : 'none')}>{t(isFiltered ? 'noMatchAbout' : 'noneAbout')}</Empty>
          }
        >
          {list.items.map(conversation => (
            <Item key={conversation.id} botId={botId} conversation={conversation} isOpen={conversation.id === openId} />
          ))}
        </ListPane>
      )}
    </>
  );
}

interface ItemProps {
  botId: string;
  conversation: Conversation;
  isOpen: boolean;
}

function Item({ botId, conversation, isOpen }: ItemProps) {
  const { data, isPending } = usePreview(botId, conversation);
  const { id, updatedAt, integration } = conversation;
  const people = data?.people ?? [];
  const name = joinNames(people.map(personName)) || id;
  const latest = data?.latest;
  const summary = latest ? summaryOf(latest.type, latest.payload) : '';
  return (
    <Link
      className={classes.item}
      to={`/bots/${botId}/conversations/${id}` as string}
      search
      data-conversation={id}
      {...(isOpen ? { 'aria-current': 'page' as const } : {})}
    >
      <Monogram name={people[0] ? personName(people[0]) : ''} id={people[0]?.id ?? id} size={32} />
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
