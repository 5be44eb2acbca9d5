import type { Client } from '@botpress/client';
import { Anchor, Group, Stack, Table, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useBotClient } from '../api/clients.ts';
import { useAction } from '../api/useAction.ts';
import { pageOf, useList } from '../api/useList.ts';
import { IconTrash, IconUser } from '../icons/tabler.ts';
import { isolate } from '../messages/bidi.ts';
import { users } from '../messages/en/users.ts';
import { translator } from '../messages/translate.ts';
import { useAddressText } from '../navigation/useAddress.ts';
import { useOpenRow } from '../navigation/useOpenRow.ts';
import { useBotId } from '../navigation/useRoute.ts';
import { Copyable } from '../parts/Copyable.tsx';
import { FilterText } from '../parts/Fields.tsx';
import { RowDetail } from '../parts/FormDialog.tsx';
import { Monogram } from '../parts/Monogram.tsx';
import { Page, Toolbar } from '../parts/Page.tsx';
import { personName } from '../parts/personName.ts';
import { ACTIONS, Confirm, Fact, Facts, Json, Row, RowActions, RowButton, Rows, Tags, When } from '../parts/Small.tsx';
import { Empty, LoadedList } from '../parts/States.tsx';
import { StatesInPanel } from './OwnerStates.tsx';

const t = translator('users', users);

type User = Awaited<ReturnType<Client['listUsers']>>['users'][number];

export function Users() {
  const botId = useBotId();
  const client = useBotClient(botId);
  const { text: conversationId, setText: setConversationId, wanted } = useAddressText('conversation');
  const list = useList(['users', botId, wanted], async nextToken => {
    const answer = await client.listUsers({
      ...(nextToken ? { nextToken } : {}),
      ...(wanted ? { conversationId: wanted } : { sortField: 'updatedAt', sortDirection: 'desc' }),
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
        <FilterText
          label={t('conversation')}
          placeholder={t('conversationId')}
          value={conversationId}
          onChange={setConversationId}
          width={260}
        />
      </Toolbar>
      <LoadedList
        list={list}
        heads={heads}
        empty={
          <Empty Icon={IconUser} title={t(wanted ? 'noMatch' : 'none')}>
            {t(wanted ? 'noMatchAbout' : 'noneAbout')}
          </Empty>
        }
      >
        {users => (
          <Rows label={t('users')} heads={heads}>
            {users.map(user => (
              <Row key={user.id}>
                <Table.Td>
                  <Group gap="sm" wrap="nowrap">
                    <Monogram name={user.name ?? ''} id={user.id} size={24} />
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
      <RowDetail row={row} title={personName}>
        {user => <UserDetail botId={botId} user={user} />}
      </RowDetail>
    </Page>
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
