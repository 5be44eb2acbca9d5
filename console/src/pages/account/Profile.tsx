import { Button, FileButton, Group, NativeSelect, Stack, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useAdminClient, useWorkspaceId } from '../../api/clients.ts';
import { useAction } from '../../api/useAction.ts';
import { session } from '../../messages/en/session.ts';
import { chooseLanguage, LANGUAGES, type Language, language } from '../../messages/language.ts';
import { translator } from '../../messages/translate.ts';
import { Monogram } from '../../parts/Monogram.tsx';
import { Loaded } from '../../parts/States.tsx';
import { readPicture } from './readPicture.ts';

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
  const [fault, setFault] = useState('');
  const save = useAction(() => client.updateAccount({ displayName, profilePicture }), {
    done: t('profileSaved'),
    changes: [KEY, ['me', workspaceId], ['members', workspaceId]],
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate(undefined);
  };
  const choose = async (file: File | null) => {
    if (!file) return;
    const picture = await readPicture(file);
    if (picture) setPicture(picture);
    setFault(picture ? '' : t('noPicture'));
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <Group>
          {/* Other sites would learn who opens the page. */}
          {profilePicture.startsWith('data:image/') ? (
            <img src={profilePicture} alt={t('picture')} width={56} height={56} style={{ borderRadius: '50%' }} />
          ) : (
            <Monogram name={displayName || account.email} id={account.id} size={56} />
          )}
          <FileButton onChange={file => void choose(file)} accept="image/png,image/jpeg,image/webp">
            {props => (
              <Button {...props} size="xs" variant="default">
                {t('choosePicture')}
              </Button>
            )}
          </FileButton>
          {profilePicture && (
            <Button size="xs" variant="default" onClick={() => setPicture('')}>
              {t('removePicture')}
            </Button>
          )}
        </Group>
        {fault && (
          <Text size="sm" c="var(--mantine-color-error)" role="alert">
            {fault}
          </Text>
        )}
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
