import type { Client } from '@botpress/client';
import { Anchor, Button, Group, Stack, Table, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useBotClient } from '../api/clients.ts';
import { useAction } from '../api/useAction.ts';
import { pageOf, useList } from '../api/useList.ts';
import { Page } from '../parts/Page.tsx';
import { Confirm, Copyable, Detail, Json, Rows, Tags, When } from '../parts/Small.tsx';
import { LoadedList } from '../parts/States.tsx';
import { useBotId } from '../shell/useRoute.ts';

type User = Awaited<ReturnType<Client['listUsers']>>['users'][number];

export function Users() {
  const botId = useBotId();
  const client = useBotClient(botId);
  const [conversationId, setConversationId] = useState('');
  const [wanted] = useDebouncedValue(conversationId.trim(), 300);
  const [open, setOpen] = useState<User>();
  const list = useList(['users', botId, wanted], async nextToken => {
    const answer = await client.listUsers({
      ...(nextToken ? { nextToken } : {}),
      ...(wanted ? { conversationId: wanted } : { sortField: 'updatedAt', sortDirection: 'desc' }),
    });
    return pageOf(answer.users, answer);
  });
  const remove = useAction((id: string) => client.deleteUser({ id }), {
    done: 'The user is deleted.',
    changes: [['users', botId]],
  });
  return (
    <Page title="Users" about="Everyone who talks to the bot, and the bot itself.">
      <Group>
        <TextInput
          label="Of a conversation"
          placeholder="Its id"
          value={conversationId}
          onChange={event => setConversationId(event.currentTarget.value)}
        />
      </Group>
      <LoadedList
        list={list}
        empty={wanted ? 'Nobody took part in this conversation.' : 'Nobody has talked to the bot yet.'}
      >
        {users => (
          <Rows label="Users" heads={['Name', 'Since', 'Changed', 'Tags', 'What to do']}>
            {users.map(user => (
              <Table.Tr key={user.id}>
                <Table.Td style={{ overflowWrap: 'anywhere' }}>{user.name || user.id}</Table.Td>
                <Table.Td>
                  <When at={user.createdAt} />
                </Table.Td>
                <Table.Td>
                  <When at={user.updatedAt} />
                </Table.Td>
                <Table.Td>
                  <Tags tags={user.tags} />
                </Table.Td>
                <Table.Td>
                  <Group gap="xs" wrap="nowrap">
                    <Button size="xs" variant="default" onClick={() => setOpen(user)}>
                      Show
                    </Button>
                    {user.id !== botId && (
                      <Confirm
                        label="Delete"
                        title={`Delete ${user.name || user.id}?`}
                        isBusy={remove.isPending}
                        onConfirm={() => remove.mutate(user.id)}
                      >
                        Their keys stop working. What they said stays in its conversations.
                      </Confirm>
                    )}
                  </Group>
                </Table.Td>
              </Table.Tr>
            ))}
          </Rows>
        )}
      </LoadedList>
      <Detail of={open} title="User" onClose={() => setOpen(undefined)}>
        {open => <UserDetail botId={botId} user={open} />}
      </Detail>
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
    <Stack gap="xs">
      <Copyable value={user.id} label="Copy the user's id" />
      <Json
        value={{ tags: user.tags, properties: user.properties, attributes: user.attributes }}
        label="What is known of them"
      />
      <Text size="sm" fw={600}>
        Conversations
      </Text>
      <LoadedList list={list} empty="They take part in none.">
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
