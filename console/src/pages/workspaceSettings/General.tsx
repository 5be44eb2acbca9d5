import '@mantine/core/styles/NumberInput.layer.css';
import { Button, Group, NumberInput, Stack, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useAdminClient } from '../../api/clients.ts';
import { useAction } from '../../api/useAction.ts';
import { workspaceSettings } from '../../messages/en/workspaceSettings.ts';
import { translator } from '../../messages/translate.ts';
import { changedKeys } from '../../parts/changedKeys.ts';
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
  const [shown, setShown] = useState(() => editableOf(workspace));
  // An empty handle keeps the stored one.
  const entered = { name, handle: handle || shown.handle, profilePicture, spendingLimit: Number(limit) || 0 };
  const changes = changedKeys(shown, entered);
  useUnsaved(Object.keys(changes).length > 0);
  const save = useAction(
    async () => {
      await client.updateWorkspace({ id: workspace.id, ...changes });
      return entered;
    },
    { done: t('saved'), changes: [['workspace', workspace.id], ['workspaces']], onDone: setShown },
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

const editableOf = ({ name, handle = '', profilePicture = '', spendingLimit }: General) => ({
  ...{ name, handle, profilePicture, spendingLimit },
});
