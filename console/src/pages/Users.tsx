import type { Client } from '@botpress/client';
import { Anchor, Group, Stack, Table, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useBotClient } from '../api/clients.ts';
import { useAction } from '../api/useAction.ts';
import { isSearchable, useCustomerSearch } from '../api/useCustomerSearch.ts';
import { pageOf, useList } from '../api/useList.ts';
import { IconTrash, IconUser } from '../icons/tabler.ts';
import { isolate } from '../messages/bidi.ts';
import { users } from '../messages/en/users.ts';
import { translator } from '../messages/translate.ts';
import { useAddressText } from '../navigation/useAddress.ts';
import { useOpenRow } from '../navigation/useOpenRow.ts';
import { useBotId } from '../navigation/useRoute.ts';
import { Copyable } from '../parts/Copyable.tsx';
import { RowDetail } from '../parts/FormDialog.tsx';
import { Monogram } from '../parts/Monogram.tsx';
import { Page, Toolbar } from '../parts/Page.tsx';
import { personName } from '../parts/personName.ts';
import { SearchField } from '../parts/SearchField.tsx';
import { ACTIONS, Confirm, Fact, Facts, Json, Row, RowActions, RowButton, Rows, Tags, When } from '../parts/Small.tsx';
import { Empty, LoadedList } from '../parts/States.tsx';
import { StatesInPanel } from './OwnerStates.tsx';

const t = translator('users', users);

type User = Awaited<ReturnType<Client['listUsers']>>['users'][number];

export function Users() {
  const botId = useBotId();
  const client = useBotClient(botId);
  const { text, setText, wanted } = useAddressText('q');
  const conversationId = /^convo_\w+$/.test(wanted) ? wanted : '';
  const isSearch = isSearchable(wanted) && !conversationId;
  const list = useList(['users', botId, conversationId], async nextToken => {
    const answer = await client.listUsers({
      ...(nextToken ? { nextToken } : {}),
      ...(conversationId ? { conversationId } : { sortField: 'updatedAt', sortDirection: 'desc' }),
    });
    return pageOf(answer.users, answer);
  });
  const row = useOpenRow<User>({
    key: ['users', botId],
    rows: list.items,
    idOf: ({ id }) => id,
    read: async id => (await client.getUser({ id })).user,
  });
  const remove = useAction((id: string) => client.deleteUser({ id }), {
    done: t('deleted'),
    changes: [['users', botId]],
  });
  const heads = [t('name'), t('created'), t('changed'), t('tags'), ACTIONS];
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
        <FoundUsers botId={botId} text={wanted} onOpen={row.openId} />
      ) : (
        <LoadedList
          list={list}
          heads={heads}
          empty={
            <Empty Icon={IconUser} title={t(conversationId ? 'noMatch' : 'none')}>
              {t(conversationId ? 'noMatchAbout' : 'noneAbout')}
            </Empty>
          }
        >
          {users => (
            <Rows label={t('users')} heads={heads}>
              {users.map(user => (
                <Row key={user.id}>
                  <Table.Td>
                    <Group gap="sm" wrap="nowrap">
                      <Monogram name={personName(user)} id={user.id} size={24} />
                      <RowButton onClick={() => row.open(user)}>{personName(user)}</RowButton>
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
                        title={t('deleteTitle', { name: personName(user) })}
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
      <RowDetail row={row} title={personName}>
        {user => <UserDetail botId={botId} user={user} />}
      </RowDetail>
    </Page>
  );
}

/** Users who match a search, with the fields that match. */
function FoundUsers({ botId, text, onOpen }: { botId: string; text: string; onOpen: (id: string) => void }) {
  const list = useCustomerSearch({ botIds: [botId], text });
  const items = list.items.flatMap(({ user, ...each }) => (user ? [{ ...each, user }] : []));
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
                  <Monogram name={personName(user)} id={user.id} size={24} />
                  <RowButton onClick={() => onOpen(user.id)}>{personName(user)}</RowButton>
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
        <Fact name={t('changed')}>
          <When at={user.updatedAt} />
        </Fact>
      </Facts>
      <StatesInPanel botId={botId} type="user" ownerId={user.id} />
      <Text size="sm" fw={600}>
        {t('data')}
      </Text>
      <Json value={{ tags: user.tags, properties: user.properties, attributes: user.attributes }} label={t('data')} />
      <Text size="sm" fw={600}>
        {t('conversations')}
      </Text>
      <LoadedList list={list} empty={t('noConversations')}>
        {conversations =>
          conversations.map(({ id, integration, channel, updatedAt }) => (
            <Group key={id} gap={8} wrap="nowrap" justify="space-between">
              <Anchor component={Link} size="sm" title={id} to={`/bots/${botId}/conversations/${id}` as string}>
                {[integration, channel].filter(Boolean).map(isolate).join(' / ') || id}
              </Anchor>
              <Text size="xs" c="dimmed">
                <When at={updatedAt} />
              </Text>
            </Group>
          ))
        }
      </LoadedList>
    </Stack>
  );
}
