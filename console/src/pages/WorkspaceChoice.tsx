import { Button, Center, Group, Paper, Stack, Text, TextInput, Title } from '@mantine/core';
import { type FormEvent, useEffect, useState } from 'react';
import { useAccountClient, useParley } from '../api/clients.ts';
import { useAction } from '../api/useAction.ts';
import { useWorkspaces } from '../api/useWorkspaces.ts';
import { Loaded } from '../parts/States.tsx';
import { chooseWorkspace } from '../session/session.ts';

/** After the sign-in. A caller with one workspace does not have to choose. */
export function WorkspaceChoice() {
  const query = useWorkspaces();
  const only = query.data?.length === 1 ? query.data[0] : undefined;
  useEffect(() => {
    document.title = 'Choose a workspace · Parley console';
    if (only) chooseWorkspace(only.id);
  }, [only]);
  return (
    <Center p="md" mih="70vh">
      <Paper withBorder p="lg" w={420} maw="100%">
        <Stack>
          <Title order={1} size="h3">
            Choose a workspace
          </Title>
          <Loaded query={query}>
            {workspaces => (
              <Stack gap="xs">
                {workspaces.length === 0 && <Text size="sm">You are not a member of any workspace yet.</Text>}
                {workspaces.map(({ id, name, botCount }) => (
                  <Button key={id} variant="default" justify="space-between" onClick={() => chooseWorkspace(id)}>
                    {name}, {botCount === 1 ? '1 bot' : `${botCount} bots`}
                  </Button>
                ))}
              </Stack>
            )}
          </Loaded>
          <JoinOrCreate />
        </Stack>
      </Paper>
    </Center>
  );
}

function JoinOrCreate() {
  const client = useAccountClient();
  const parley = useParley();
  const [name, setName] = useState('');
  const [inviteToken, setInviteToken] = useState('');
  const create = useAction(() => client.createWorkspace({ name }), { onDone: ({ id }) => chooseWorkspace(id) });
  const join = useAction(() => parley.joinWorkspace({ inviteToken: inviteToken.trim() }), {
    onDone: ({ workspaceId }) => chooseWorkspace(workspaceId),
  });
  return (
    <>
      <OneFieldForm label="New workspace" value={name} onChange={setName} submit="Create" action={create} />
      <OneFieldForm label="Invitation" value={inviteToken} onChange={setInviteToken} submit="Join" action={join} />
    </>
  );
}

interface OneFieldFormProps {
  label: string;
  value: string;
  onChange(value: string): void;
  /** Label of the submit button. */
  submit: string;
  action: { mutate(input: undefined): void; isPending: boolean };
}

function OneFieldForm({ label, value, onChange, submit, action }: OneFieldFormProps) {
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    action.mutate(undefined);
  };
  return (
    <form onSubmit={onSubmit}>
      <Group align="flex-end" wrap="nowrap">
        <TextInput
          flex={1}
          label={label}
          value={value}
          onChange={event => onChange(event.currentTarget.value)}
          required
        />
        <Button type="submit" variant="default" loading={action.isPending}>
          {submit}
        </Button>
      </Group>
    </form>
  );
}
