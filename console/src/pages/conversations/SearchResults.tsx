/** Results of a search: customers with their latest conversations, then conversations with a matching message. */
import { Button, Center, Loader, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Customer, FoundConversation, FoundMessage } from '../../api/contract.ts';
import { isExact, isSearchable, useCustomerSearch, useMessageSearch } from '../../api/useCustomerSearch.ts';
import { search as texts } from '../../messages/en/search.ts';
import { translator } from '../../messages/translate.ts';
import { Failure } from '../../parts/States.tsx';
import { formatWhole } from '../../parts/time.ts';
import { ResultRow } from './ResultRow.tsx';
import classes from './Search.module.css';

const t = translator('search', texts);

interface Found {
  user?: Customer['user'];
  about: ReactNode;
  match?: string;
}

interface SearchResultsProps {
  /** Empty for all bots. */
  botIds: readonly string[];
  text: string;
  openId: string | undefined;
  /** Returns the address of a conversation, at the part of a message that matches. */
  linkOf: (botId: string, conversationId: string, match?: string) => { to: string; search?: object };
  /** Returns the name of a bot if the results mix bots. */
  nameOfBot?: (botId: string) => string | undefined;
}

export function SearchResults({ botIds, text, openId, linkOf, nameOfBot = () => undefined }: SearchResultsProps) {
  const customers = useCustomerSearch({ botIds, text });
  const messages = useMessageSearch({ botIds, text });
  const row = (botId: string, conversation: FoundConversation, { match, ...more }: Found) => (
    <ResultRow
      key={`${botId} ${conversation.id}`}
      {...more}
      conversation={conversation}
      link={linkOf(botId, conversation.id, match)}
      botName={nameOfBot(botId)}
      isOpen={conversation.id === openId}
    />
  );
  if (!isSearchable(text)) return <Hint>{t('tooShort')}</Hint>;
  return (
    <nav className={classes.results} aria-label={t('results')}>
      <Section title={t('customers')} list={customers}>
        {customers.items.map(each =>
          each.conversations.length === 0 ? (
            <ResultRow
              key={`${each.botId} ${each.user?.id}`}
              user={each.user}
              about={<Matches of={each} />}
              botName={nameOfBot(each.botId)}
            />
          ) : (
            each.conversations.map(conversation =>
              row(each.botId, conversation, { user: each.user, about: <Matches of={each} /> }),
            )
          ),
        )}
        {!customers.isLoading && customers.items.length === 0 && !customers.hasMore && <Hint>{t('noCustomers')}</Hint>}
        {customers.hasMore && <More list={customers} label={t('moreCustomers')} />}
        {customers.isPartial && <Hint>{t('isPartial')}</Hint>}
      </Section>
      {!isExact(text) && (
        <Section title={t('messages')} list={messages}>
          {messages.items.map(each =>
            row(each.botId, each.conversation, { about: <Excerpt of={each} />, match: each.excerpt.match }),
          )}
          {!messages.isLoading && messages.items.length === 0 && (
            <Hint>{messages.hasMore ? t('noMessages', { count: messages.searched }) : t('noMessagesAtAll')}</Hint>
          )}
          {messages.hasMore && <More list={messages} label={t('older')} />}
          {messages.searchedTo && (
            <Hint>
              {t('searchedTo', { time: formatWhole(messages.searchedTo) })} {t('onlyLatest')}
            </Hint>
          )}
        </Section>
      )}
    </nav>
  );
}

interface SectionProps {
  title: string;
  list: { isLoading: boolean; error: Error | null; reload(): Promise<unknown> };
  children: ReactNode;
}

const Section = ({ title, list, children }: SectionProps) => (
  <section aria-label={title} aria-busy={list.isLoading}>
    <h2 className={classes.title}>{title}</h2>
    {list.error ? (
      <div className={classes.hint}>
        <Failure error={list.error} retry={() => void list.reload()} />
      </div>
    ) : list.isLoading ? (
      <Center p="sm" role="status" aria-label={t('searching')}>
        <Loader size="sm" />
      </Center>
    ) : (
      children
    )}
  </section>
);

const Hint = ({ children }: { children: ReactNode }) => (
  <Text size="xs" c="dimmed" className={classes.hint}>
    {children}
  </Text>
);

const More = ({ list, label }: { list: { isLoadingMore: boolean; loadMore(): void }; label: string }) => (
  <Center p="xs">
    <Button variant="default" size="xs" loading={list.isLoadingMore} onClick={list.loadMore}>
      {label}
    </Button>
  </Center>
);

/** The fields that match, except the name, which the row shows. */
const Matches = ({ of }: { of: Customer }) => (
  <>
    {of.matches
      .filter(({ field }) => field !== 'name' && field !== 'id')
      .map(({ key, value }) => (
        <span key={`${key} ${value}`}>
          {key && <span className={classes.key}>{key} </span>}
          <bdi>{value}</bdi>
        </span>
      ))}
  </>
);

const Excerpt = ({ of: { excerpt } }: { of: FoundMessage }) => <bdi>{withMark(excerpt)}</bdi>;

/** The parts belong to one text of one author, so they are isolated together. */
const withMark = ({ before, match, after }: FoundMessage['excerpt']): ReactNode => [
  before,
  <mark key="match" className={classes.mark}>
    {match}
  </mark>,
  after,
];
