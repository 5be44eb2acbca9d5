import { Button, Group, NativeSelect, Stack, Table, TextInput, Title } from '@mantine/core';
import { IconDatabase } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useBotClient, useParley } from '../api/clients.ts';
import { pageOf, useList } from '../api/useList.ts';
import { Page } from '../parts/Page.tsx';
import { Detail, Fact, Facts, Json, Row, RowButton, Rows, When } from '../parts/Small.tsx';
import { Empty, Loaded, LoadedList } from '../parts/States.tsx';
import { useBotId } from '../shell/useRoute.ts';

const TYPES = [
  { value: 'conversation', label: 'Conversation' },
  { value: 'user', label: 'User' },
  { value: 'workflow', label: 'Workflow' },
  { value: 'bot', label: 'Bot' },
  { value: 'integration', label: 'Integration' },
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
      about="Data that the bot and its integrations store. Find the state of a conversation, user or workflow by its id."
    >
      <Find botId={botId} onFind={setOpen} />
      <Title order={2} size="h4">
        Bot and integrations
      </Title>
      <LoadedList
        list={list}
        empty={
          <Empty Icon={IconDatabase} title="No states yet">
            The bot and its integrations have not stored any state.
          </Empty>
        }
      >
        {states => (
          <Rows label="States" heads={['Name', 'Owner', 'Changed', 'Expires']}>
            {states.map(state => (
              <Row key={`${state.type} ${state.ownerId} ${state.name}`}>
                <Table.Td>
                  <RowButton onClick={() => setOpen({ type: state.type, id: state.ownerId, name: state.name })}>
                    {state.name}
                  </RowButton>
                </Table.Td>
                <Table.Td>{state.type === 'bot' ? 'Bot' : state.ownerId}</Table.Td>
                <Table.Td>
                  <When at={state.updatedAt} />
                </Table.Td>
                <Table.Td>
                  <When at={state.expiresAt} />
                </Table.Td>
              </Row>
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
          label="Owner"
          data={[...TYPES]}
          value={type}
          onChange={event => setReference({ ...reference, type: event.currentTarget.value as Type })}
        />
        {type !== 'bot' && (
          <TextInput
            label="Id of the owner"
            value={id}
            onChange={event => setReference({ ...reference, id: event.currentTarget.value })}
            required
          />
        )}
        <TextInput
          label="State name"
          value={name}
          onChange={event => setReference({ ...reference, name: event.currentTarget.value })}
          required
        />
        <Button type="submit" variant="default">
          Find
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
          <Facts>
            <Fact name="Changed">
              <When at={state.updatedAt} />
            </Fact>
          </Facts>
          <Json value={state.payload} label="Value" />
        </Stack>
      )}
    </Loaded>
  );
}
