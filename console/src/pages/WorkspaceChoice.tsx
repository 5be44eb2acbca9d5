import { Anchor, Button, Divider, Group, Stack, Text, TextInput, UnstyledButton } from '@mantine/core';
import { type FormEvent, useEffect, useState } from 'react';
import { useAccountClient } from '../api/clients.ts';
import { signOut } from '../api/signIn.ts';
import { useAction } from '../api/useAction.ts';
import { useWorkspaces } from '../api/useWorkspaces.ts';
import { IconChevronRight } from '../icons/tabler.ts';
import { session } from '../messages/en/session.ts';
import { translator } from '../messages/translate.ts';
import { Entrance } from '../parts/Entrance.tsx';
import { Monogram } from '../parts/Monogram.tsx';
import { usePageTitle } from '../parts/pageTitle.ts';
import { Loaded } from '../parts/States.tsx';
import { chooseWorkspace, hasLeftWorkspace } from '../session/session.ts';
import { PasteInvitation } from './PasteInvitation.tsx';
import classes from './WorkspaceChoice.module.css';

const t = translator('session', session);

/** Workspace selection after sign-in. Skipped for members of a single workspace. */
export function WorkspaceChoice() {
  const query = useWorkspaces();
  const only = query.data?.length === 1 && !hasLeftWorkspace() ? query.data[0] : undefined;
  usePageTitle(t('choose'));
  useEffect(() => {
    if (only) chooseWorkspace(only.id);
  }, [only]);
  return (
    <Entrance
      title={t('choose')}
      foot={
        <Anchor component="button" type="button" size="sm" onClick={signOut}>
          {t('signOut')}
        </Anchor>
      }
    >
      <Stack>
        <Loaded query={query}>
          {workspaces => (
            <Stack gap={4}>
              {workspaces.length === 0 && <Text size="sm">{t('noWorkspace')}</Text>}
              {workspaces.map(({ id, name, botCount }) => (
                <UnstyledButton key={id} className={classes.workspace} onClick={() => chooseWorkspace(id)}>
                  <Monogram name={name} id={id} size={32} isSquare />
                  <span className={classes.text}>
                    <Text size="sm" fw={500} truncate>
                      {name}
                    </Text>
                    <Text size="xs" c="dimmed">
                      {t('bots', { count: botCount })}
                    </Text>
                  </span>
                  <IconChevronRight size={16} aria-hidden />
                </UnstyledButton>
              ))}
            </Stack>
          )}
        </Loaded>
        <Divider />
        <JoinOrCreate />
      </Stack>
    </Entrance>
  );
}

function JoinOrCreate() {
  const client = useAccountClient();
  const [name, setName] = useState('');
  const changes = [['workspaces']];
  const create = useAction(() => client.createWorkspace({ name }), {
    changes,
    onDone: ({ id }) => chooseWorkspace(id),
  });
  return (
    <>
      <OneFieldForm label={t('newWorkspace')} value={name} onChange={setName} submit={t('create')} action={create} />
      <PasteInvitation isCompact />
    </>
  );
}

interface OneFieldFormProps {
  label: string;
  value: string;
  onChange(value: string): void;
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
      <Group align="flex-end" wrap="nowrap" gap="xs">
        <TextInput
          flex={1}
          label={label}
          value={value}
          onChange={event => onChange(event.currentTarget.value)}
          required
          withAsterisk={false}
        />
        <Button type="submit" variant="default" loading={action.isPending}>
          {submit}
        </Button>
      </Group>
    </form>
  );
}
