import { Button, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useParley } from '../api/clients.ts';
import { signIn } from '../api/signIn.ts';
import { useAction } from '../api/useAction.ts';
import { session } from '../messages/en/session.ts';
import { translator } from '../messages/translate.ts';
import { Copyable } from '../parts/Copyable.tsx';
import { chooseWorkspace } from '../session/session.ts';

const t = translator('session', session);

const INVITATION_START = 'bp_inv_';

function AcceptInvitation() {
  const parley = useParley();
  const [inviteToken, setInviteToken] = useState('');
  const [displayName, setDisplayName] = useState('');
  const [made, setMade] = useState<{ token?: string | undefined; workspaceId: string }>();
  const accept = useAction(
    () => parley.acceptInvitation({ inviteToken: inviteToken.trim(), ...(displayName ? { displayName } : {}) }),
    { onDone: setMade },
  );
  const enter = useAction(signIn, { onDone: () => chooseWorkspace(made?.workspaceId) });
  if (made) {
    return (
      <Stack>
        <Text size="sm">{t('created')}</Text>
        <Copyable value={made.token ?? ''} label={t('copyToken')} />
        <Button loading={enter.isPending} onClick={() => enter.mutate(made.token ?? '')}>
          {t('saved')}
        </Button>
      </Stack>
    );
  }
  const submit = (event: FormEvent) => {
    event.preventDefault();
    accept.mutate(undefined);
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <TextInput
          label={t('invitation')}
          placeholder={`${INVITATION_START}…`}
          value={inviteToken}
          onChange={event => setInviteToken(event.currentTarget.value)}
          required
          withAsterisk={false}
        />
        <TextInput
          label={t('yourName')}
          value={displayName}
          onChange={event => setDisplayName(event.currentTarget.value)}
        />
        <Button type="submit" loading={accept.isPending}>
          {t('accept')}
        </Button>
        <Text size="xs" c="dimmed">
          {t('newAccount')}
        </Text>
      </Stack>
    </form>
  );
}

export default AcceptInvitation;
