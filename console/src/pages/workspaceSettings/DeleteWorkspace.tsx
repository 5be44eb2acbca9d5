import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useAdminClient } from '../../api/clients.ts';
import { useAction } from '../../api/useAction.ts';
import { workspaceSettings } from '../../messages/en/workspaceSettings.ts';
import { translator } from '../../messages/translate.ts';
import { CancelButton, FormModal } from '../../parts/FormDialog.tsx';
import { chooseWorkspace } from '../../session/session.ts';

const t = translator('workspaceSettings', workspaceSettings);

/** Requires the name, because the deletion takes every bot of the workspace with it. */
export function DeleteWorkspace({ workspace: { id, name } }: { workspace: { id: string; name: string } }) {
  const client = useAdminClient();
  const [isOpen, setOpen] = useState(false);
  const [typed, setTyped] = useState('');
  const remove = useAction(() => client.deleteWorkspace({ id }), {
    done: t('deleted'),
    changes: [['workspaces']],
    onDone: () => chooseWorkspace(undefined),
  });
  const close = () => {
    setOpen(false);
    setTyped('');
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (typed === name) remove.mutate(undefined);
  };
  return (
    <>
      <Button size="sm" color="red.9" onClick={() => setOpen(true)}>
        {t('deleteWorkspace')}
      </Button>
      <FormModal opened={isOpen} onClose={close} title={t('deleteTitle', { name })}>
        <form onSubmit={submit}>
          <Stack>
            <Text size="sm">{t('deleteAbout')}</Text>
            <TextInput
              label={t('typeName')}
              value={typed}
              onChange={event => setTyped(event.currentTarget.value)}
              data-autofocus
            />
            <Group justify="flex-end" gap="xs">
              <CancelButton />
              <Button type="submit" color="red.9" disabled={typed !== name} loading={remove.isPending}>
                {t('deleteWorkspace')}
              </Button>
            </Group>
          </Stack>
        </form>
      </FormModal>
    </>
  );
}
