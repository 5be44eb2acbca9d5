import { Anchor, Button, Group, Table, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { Link, useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { useBotClient } from '../api/clients.ts';
import { pageOf, useList } from '../api/useList.ts';
import { Page } from '../parts/Page.tsx';
import { Rows, Tags, When } from '../parts/Small.tsx';
import { LoadedList } from '../parts/States.tsx';
import { useBotId } from '../shell/useRoute.ts';

/** How long news may take to show. */
export const LIVE_MS = 2_000;

const NO_FILTERS = { tag: '', participant: '', integration: '' };

/** `name=value`, as people write it. */
function tagsOf(text: string): Record<string, string> | undefined {
  const [, name, value] = /^([^=]+)=(.*)$/.exec(text.trim()) ?? [];
  return name && value ? { [name.trim()]: value.trim() } : undefined;
}

export function Conversations() {
  const botId = useBotId();
  const client = useBotClient(botId);
  const [filters, setFilters] = useState(NO_FILTERS);
  const [{ tag, participant, integration }] = useDebouncedValue(filters, 300);
  const tags = tagsOf(tag);
  const list = useList(
    ['conversations', botId, tag, participant, integration],
    async nextToken => {
      const answer = await client.listConversations({
        sortField: 'updatedAt',
        sortDirection: 'desc',
        ...(nextToken ? { nextToken } : {}),
        ...(tags ? { tags } : {}),
        ...(participant ? { participantIds: [participant.trim()] } : {}),
        ...(integration ? { integrationName: integration.trim() } : {}),
      });
      return pageOf(answer.conversations, answer);
    },
    { everyMs: LIVE_MS },
  );
  const isFiltered = Object.values(filters).some(Boolean);
  const field = (name: keyof typeof NO_FILTERS) => ({
    value: filters[name],
    onChange: (event: { currentTarget: HTMLInputElement }) =>
      setFilters({ ...filters, [name]: event.currentTarget.value }),
  });
  return (
    <Page
      title="Conversations"
      about="As they happen: the one with the latest message first. The list renews itself every two seconds."
      actions={<OpenById />}
    >
      <Group align="flex-end">
        <TextInput
          label="Tag"
          placeholder="name=value"
          {...field('tag')}
          error={tag && !tags ? 'Write name=value' : undefined}
        />
        <TextInput label="Participant's id" {...field('participant')} />
        <TextInput label="Integration" {...field('integration')} />
      </Group>
      <LoadedList
        list={list}
        empty={isFiltered ? 'No conversation is like this.' : 'Nobody has talked to the bot yet.'}
      >
        {conversations => (
          <Rows label="Conversations" heads={['Conversation', 'Latest', 'Messages', 'Where', 'Tags']}>
            {conversations.map(conversation => (
              <Table.Tr key={conversation.id}>
                <Table.Td>
                  <Anchor component={Link} to={`/bots/${botId}/conversations/${conversation.id}` as string}>
                    {conversation.id}
                  </Anchor>
                </Table.Td>
                <Table.Td>
                  <When at={conversation.updatedAt} />
                </Table.Td>
                <Table.Td>{(conversation as { messageCount?: number }).messageCount ?? '–'}</Table.Td>
                <Table.Td>{[conversation.integration, conversation.channel].filter(Boolean).join(', ')}</Table.Td>
                <Table.Td>
                  <Tags tags={conversation.tags} />
                </Table.Td>
              </Table.Tr>
            ))}
          </Rows>
        )}
      </LoadedList>
    </Page>
  );
}

function OpenById() {
  const botId = useBotId();
  const navigate = useNavigate();
  const [id, setId] = useState('');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (id.trim()) void navigate({ to: `/bots/${botId}/conversations/${encodeURIComponent(id.trim())}` as string });
  };
  return (
    <form onSubmit={submit}>
      <Group gap="xs" wrap="nowrap">
        <TextInput
          aria-label="Conversation id"
          placeholder="Conversation id"
          value={id}
          onChange={event => setId(event.currentTarget.value)}
        />
        <Button type="submit" variant="default">
          Open
        </Button>
      </Group>
    </form>
  );
}
