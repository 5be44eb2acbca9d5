import { Button, Group, NativeSelect, Stack, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useAdminClient, useWorkspaceId } from '../../api/clients.ts';
import { useAction } from '../../api/useAction.ts';
import { session } from '../../messages/en/session.ts';
import { chooseLanguage, LANGUAGES, type Language, language } from '../../messages/language.ts';
import { translator } from '../../messages/translate.ts';
import { PictureField } from '../../parts/PictureField.tsx';
import { Loaded } from '../../parts/States.tsx';

const t = translator('session', session);
const KEY = ['account'];

interface Shown {
  id: string;
  email: string;
  displayName?: string | undefined;
  profilePicture?: string | undefined;
}

export function Profile() {
  const client = useAdminClient();
  const query = useQuery({ queryKey: KEY, queryFn: async () => (await client.getAccount({})).account });
  return (
    <Stack>
      <Loaded query={query}>{account => <ProfileForm key={account.id} account={account} />}</Loaded>
      <NativeSelect
        label={t('language')}
        maw={320}
        data={Object.entries(LANGUAGES).map(([value, label]) => ({ value, label }))}
        value={language}
        onChange={event => chooseLanguage(event.currentTarget.value as Language)}
      />
    </Stack>
  );
}

function ProfileForm({ account }: { account: Shown }) {
  const client = useAdminClient();
  const workspaceId = useWorkspaceId();
  const [displayName, setName] = useState(account.displayName ?? '');
  const [profilePicture, setPicture] = useState(account.profilePicture ?? '');
  const save = useAction(() => client.updateAccount({ displayName, profilePicture }), {
    done: t('profileSaved'),
    changes: [KEY, ['me', workspaceId], ['members', workspaceId]],
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate(undefined);
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <PictureField
          label={t('picture')}
          name={displayName || account.email}
          id={account.id}
          value={profilePicture}
          onChange={setPicture}
        />
        <TextInput
          label={t('yourName')}
          description={t('nameAbout')}
          maw={320}
          value={displayName}
          maxLength={200}
          onChange={event => setName(event.currentTarget.value)}
        />
        <Group>
          <Button type="submit" loading={save.isPending}>
            {t('save')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
