import type { Client } from '@botpress/client';
import { Anchor, Group, Stack, Table, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useBotClient } from '../api/clients.ts';
import { useAction } from '../api/useAction.ts';
import { isSearchable, useCustomerSearch } from '../api/useCustomerSearch.ts';
import { pageOf, useList } from '../api/useList.ts';
import { IconTrash, IconUser } from '../icons/tabler.ts';
import { users } from '../messages/en/users.ts';
import { translator } from '../messages/translate.ts';
import { useBotId } from '../navigation/useRoute.ts';
import { Copyable } from '../parts/Copyable.tsx';
import { Detail } from '../parts/FormDialog.tsx';
import { Monogram } from '../parts/Monogram.tsx';
import { Page, Toolbar } from '../parts/Page.tsx';
import { SearchField } from '../parts/SearchField.tsx';
import { ACTIONS, Confirm, Fact, Facts, Json, Row, RowActions, RowButton, Rows, Tags, When } from '../parts/Small.tsx';
import { Empty, LoadedList } from '../parts/States.tsx';
import { visibleName } from '../parts/visibleName.ts';

const t = translator('users', users);

type User = Awaited<ReturnType<Client['listUsers']>>['users'][number];

export function Users() {
  const botId = useBotId();
  const client = useBotClient(botId);
  const [text, setText] = useState('');
  const [debounced] = useDebouncedValue(text.trim(), 300);
  const wanted = text === '' ? '' : debounced;
  const conversationId = /^convo_\w+$/.test(wanted) ? wanted : '';
  const isSearch = isSearchable(wanted) && !conversationId;
  const [open, setOpen] = useState<User>();
  const list = useList(['users', botId, conversationId], async nextToken => {
    const answer = await client.listUsers({
      ...(nextToken ? { nextToken } : {}),
      ...(conversationId ? { conversationId } : { sortField: 'updatedAt', sortDirection: 'desc' }),
    });
    return pageOf(answer.users, answer);
  });
  const remove = useAction((id: string) => client.deleteUser({ id }), {
    done: t('deleted'),
    changes: [['users', botId]],
  });
  return (
    <Page title={t('users')} about={t('about')}>
      <Toolbar>
        <SearchField
          label={t('search')}
          placeholder={t('searchPlaceholder')}
          value={text}
          onChange={setText}
          width={300}
        />
      </Toolbar>
      {isSearch ? (
        <FoundUsers botId={botId} text={wanted} onOpen={setOpen} />
      ) : (
        <LoadedList
          list={list}
          empty={
            <Empty Icon={IconUser} title={t(conversationId ? 'noMatch' : 'none')}>
              {t(conversationId ? 'noMatchAbout' : 'noneAbout')}
            </Empty>
          }
        >
          {users => (
            <Rows label={t('users')} heads={[t('name'), t('created'), t('changed'), t('tags'), ACTIONS]}>
              {users.map(user => (
                <Row key={user.id}>
                  <Table.Td>
                    <Group gap="sm" wrap="nowrap">
                      <Monogram name={user.name ?? ''} id={user.id} size={24} />
                      <RowButton onClick={() => setOpen(user)}>{visibleName(user.name) ?? user.id}</RowButton>
                    </Group>
                  </Table.Td>
                  <Table.Td>
                    <When at={user.createdAt} />
                  </Table.Td>
                  <Table.Td>
                    <When at={user.updatedAt} />
                  </Table.Td>
                  <Table.Td>
                    <Tags tags={user.tags} />
                  </Table.Td>
                  <RowActions>
                    {user.id !== botId && (
                      <Confirm
                        label={t('delete')}
                        title={t('deleteTitle', { name: visibleName(user.name) ?? user.id })}
                        Icon={IconTrash}
                        isBusy={remove.isPending}
                        onConfirm={() => remove.mutate(user.id)}
                      >
                        {t('deleteAbout')}
                      </Confirm>
                    )}
                  </RowActions>
                </Row>
              ))}
            </Rows>
          )}
        </LoadedList>
      )}
      <Detail of={open} title={visibleName(open?.name) ?? t('user')} onClose={() => setOpen(undefined)}>
        {open => <UserDetail botId={botId} user={open} />}
      </Detail>
    </Page>
  );
}

/** Users who match a search, with the fields that match. */
function FoundUsers({ botId, text, onOpen }: { botId: string; text: string; onOpen: (user: User) => void }) {
  const client = useBotClient(botId);
  const list = useCustomerSearch({ botIds: [botId], text });
  const items = list.items.flatMap(({ user, ...each }) => (user ? [{ ...each, user }] : []));
  const read = useAction(async (id: string) => onOpen((await client.getUser({ id })).user), {});
  return (
    <LoadedList
      list={{ ...list, items }}
      empty={
        <Empty Icon={IconUser} title={t('noMatch')}>
          {t('noneFound')}
        </Empty>
      }
    >
      {found => (
        <Rows label={t('users')} heads={[t('name'), t('found'), t('latest'), t('changed')]}>
          {found.map(({ user, matches, conversations: [latest] }) => (
            <Row key={`${user.id} ${latest?.id}`}>
              <Table.Td>
                <Group gap="sm" wrap="nowrap">
                  <Monogram name={user.name ?? ''} id={user.id} size={24} />
                  <RowButton onClick={() => read.mutate(user.id)}>{visibleName(user.name) ?? user.id}</RowButton>
                </Group>
              </Table.Td>
              <Table.Td>
                <Tags tags={Object.fromEntries(matches.map(({ field, key, value }) => [key ?? field, value]))} />
              </Table.Td>
              <Table.Td>
                {latest && (
                  <Anchor component={Link} size="sm" to={`/bots/${botId}/conversations/${latest.id}` as string}>
                    {latest.id}
                  </Anchor>
                )}
              </Table.Td>
              <Table.Td>
                <When at={latest?.updatedAt} />
              </Table.Td>
            </Row>
          ))}
        </Rows>
      )}
    </LoadedList>
  );
}

function UserDetail({ botId, user }: { botId: string; user: User }) {
  const client = useBotClient(botId);
  const list = useList(['conversations', botId, 'of', user.id], async nextToken => {
    const answer = await client.listConversations({ participantIds: [user.id], ...(nextToken ? { nextToken } : {}) });
    return pageOf(answer.conversations, answer);
  });
  return (
    <Stack>
      <Facts>
        <Fact name={t('id')}>
          <Copyable value={user.id} label={t('copyId')} />
        </Fact>
        <Fact name={t('created')}>
          <When at={user.createdAt} />
        </Fact>
      </Facts>
      <Json value={{ tags: user.tags, properties: user.properties, attributes: user.attributes }} label={t('data')} />
      <Text size="sm" fw={600}>
        {t('conversations')}
      </Text>
      <LoadedList list={list} empty={t('noConversations')}>
        {conversations =>
          conversations.map(({ id }) => (
            <Anchor key={id} component={Link} size="sm" to={`/bots/${botId}/conversations/${id}` as string}>
              {id}
            </Anchor>
          ))
        }
      </LoadedList>
    </Stack>
  );
}
