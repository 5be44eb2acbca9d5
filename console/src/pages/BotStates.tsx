import { Button, Group, NativeSelect, Stack, Table, TextInput, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useBotClient, useParley } from '../api/clients.ts';
import { pageOf, useList } from '../api/useList.ts';
import { Page } from '../parts/Page.tsx';
import { Detail, Json, Rows, When } from '../parts/Small.tsx';
import { Loaded, LoadedList } from '../parts/States.tsx';
import { useBotId } from '../shell/useRoute.ts';

const TYPES = [
  { value: 'conversation', label: 'a conversation' },
  { value: 'user', label: 'a user' },
  { value: 'workflow', label: 'a workflow' },
  { value: 'bot', label: 'the bot' },
  { value: 'integration', label: 'an integration' },
] as const;
type Type = (typeof TYPES)[number]['value'];
interface Reference {
  type: Type;
  id: string;
  name: string;
}

export function BotStates() {
  const botId = useBotId();
  const parley = useParley(botId);
  const [open, setOpen] = useState<Reference>();
  const list = useList(['states', botId], async nextToken => {
    const answer = await parley.listStates(nextToken);
    return pageOf(answer.states, answer);
  });
  return (
    <Page
      title="States"
      about="What the bot and its integrations remember. What is remembered of one conversation, user or workflow is found by its id."
    >
      <Find botId={botId} onFind={setOpen} />
      <Title order={2} size="h4">
        Of the bot and its integrations
      </Title>
      <LoadedList list={list} empty="Nothing is remembered yet.">
        {states => (
          <Rows label="States" heads={['Name', 'Of', 'Changed', 'Forgotten', 'What to do']}>
            {states.map(state => (
              <Table.Tr key={`${state.type} ${state.ownerId} ${state.name}`}>
                <Table.Td>{state.name}</Table.Td>
                <Table.Td>{state.type === 'bot' ? 'the bot' : state.ownerId}</Table.Td>
                <Table.Td>
                  <When at={state.updatedAt} />
                </Table.Td>
                <Table.Td>
                  <When at={state.expiresAt} />
                </Table.Td>
                <Table.Td>
                  <Button
                    size="xs"
                    variant="default"
                    onClick={() => setOpen({ type: state.type, id: state.ownerId, name: state.name })}
                  >
                    Show
                  </Button>
                </Table.Td>
              </Table.Tr>
            ))}
          </Rows>
        )}
      </LoadedList>
      <Detail of={open} title={open?.name} onClose={() => setOpen(undefined)}>
        {open => <OneState botId={botId} reference={open} />}
      </Detail>
    </Page>
  );
}

function Find({ botId, onFind }: { botId: string; onFind: (reference: Reference) => void }) {
  const [reference, setReference] = useState<Reference>({ type: 'conversation', id: '', name: '' });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onFind({ ...reference, id: reference.type === 'bot' ? botId : reference.id.trim() });
  };
  const { type, id, name } = reference;
  return (
    <form onSubmit={submit}>
      <Group align="flex-end">
        <NativeSelect
          label="State of"
          data={[...TYPES]}
          value={type}
          onChange={event => setReference({ ...reference, type: event.currentTarget.value as Type })}
        />
        {type !== 'bot' && (
          <TextInput
            label="Its id"
            value={id}
            onChange={event => setReference({ ...reference, id: event.currentTarget.value })}
            required
          />
        )}
        <TextInput
          label="Name of the state"
          value={name}
          onChange={event => setReference({ ...reference, name: event.currentTarget.value })}
          required
        />
        <Button type="submit" variant="default">
          Show
        </Button>
      </Group>
    </form>
  );
}

function OneState({ botId, reference }: { botId: string; reference: Reference }) {
  const client = useBotClient(botId);
  const query = useQuery({
    queryKey: ['state', botId, reference],
    queryFn: async () => (await client.getState(reference)).state,
  });
  return (
    <Loaded query={query}>
      {state => (
        <Stack gap="xs">
          <span>
            Changed <When at={state.updatedAt} />
          </span>
          <Json value={state.payload} label="What is remembered" />
        </Stack>
      )}
    </Loaded>
  );
}
