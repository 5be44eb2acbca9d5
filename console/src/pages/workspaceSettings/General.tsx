import '@mantine/core/styles/NumberInput.layer.css';
import { Button, Group, NumberInput, Stack, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useAdminClient } from '../../api/clients.ts';
import { useAction } from '../../api/useAction.ts';
import { workspaceSettings } from '../../messages/en/workspaceSettings.ts';
import { translator } from '../../messages/translate.ts';
import { PictureField } from '../../parts/PictureField.tsx';
import { useUnsaved } from '../../parts/unsaved.ts';

const t = translator('workspaceSettings', workspaceSettings);

interface General {
  id: string;
  name: string;
  handle?: string | undefined;
  profilePicture?: string | undefined;
  spendingLimit: number;
}

export function General({ workspace, mayChange }: { workspace: General; mayChange: boolean }) {
  const client = useAdminClient();
  const [name, setName] = useState(workspace.name);
  const [handle, setHandle] = useState(workspace.handle ?? '');
  const [profilePicture, setPicture] = useState(workspace.profilePicture ?? '');
  const [limit, setLimit] = useState<string | number>(workspace.spendingLimit || '');
  // Only what differs from what the form has shown is sent, so that changes of others remain.
  const [shown, setShown] = useState(workspace);
  const entered = { name, handle: handle || undefined, profilePicture, spendingLimit: Number(limit) || 0 };
  const changes = changesOf(shown, entered);
  useUnsaved(Object.keys(changes).length > 0);
  const save = useAction(
    async () => {
      await client.updateWorkspace({ id: workspace.id, ...changes });
      return entered;
    },
    {
      done: t('saved'),
      changes: [['workspace', workspace.id], ['workspaces']],
      onDone: saved => setShown({ ...shown, ...saved }),
    },
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate(undefined);
  };
  return (
    <form onSubmit={submit}>
      <Stack maw={420}>
        <PictureField
          label={t('picture')}
          name={name}
          id={workspace.id}
          value={profilePicture}
          onChange={setPicture}
          isReadOnly={!mayChange}
        />
        <TextInput
          label={t('name')}
          value={name}
          maxLength={200}
          required
          withAsterisk={false}
          readOnly={!mayChange}
          onChange={event => setName(event.currentTarget.value)}
        />
        <TextInput
          label={t('handle')}
          description={t('handleAbout')}
          value={handle}
          maxLength={50}
          readOnly={!mayChange}
          onChange={event => setHandle(event.currentTarget.value.toLowerCase())}
        />
        <NumberInput
          label={t('spendingLimit')}
          description={t('spendingLimitAbout')}
          value={limit}
          min={0}
          max={1_000_000_000}
          hideControls
          readOnly={!mayChange}
          onChange={setLimit}
        />
        {mayChange && (
          <Group>
            <Button type="submit" loading={save.isPending}>
              {t('save')}
            </Button>
          </Group>
        )}
      </Stack>
    </form>
  );
}

type Editable = Omit<General, 'id'>;

function changesOf(shown: Editable, entered: Editable): Partial<Editable> {
  const picture = shown.profilePicture ?? '';
  return {
    ...(entered.name === shown.name ? {} : { name: entered.name }),
    ...(entered.handle === undefined || entered.handle === shown.handle ? {} : { handle: entered.handle }),
    ...(entered.profilePicture === picture ? {} : { profilePicture: entered.profilePicture }),
    ...(entered.spendingLimit === shown.spendingLimit ? {} : { spendingLimit: entered.spendingLimit }),
  };
}
