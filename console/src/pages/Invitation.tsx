/** Accepts the invitation of a link: as a new person by entering a name, or with the account of the session. */
import { Anchor, Button, Stack, Text, TextInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useParley } from '../api/clients.ts';
import { isUnauthorised } from '../api/explain.ts';
import { acceptInvitation } from '../api/signIn.ts';
import { useAction } from '../api/useAction.ts';
import { session as texts } from '../messages/en/session.ts';
import { shell } from '../messages/en/shell.ts';
import { translator } from '../messages/translate.ts';
import { Entrance } from '../parts/Entrance.tsx';
import { usePageTitle } from '../parts/pageTitle.ts';
import { When } from '../parts/Small.tsx';
import { Failure, Loading } from '../parts/States.tsx';
import { showInvitation } from '../session/invitation.ts';
import { chooseWorkspace, useSession } from '../session/session.ts';

const t = translator('session', texts);
const roles = translator('shell', shell);

export function Invitation({ code }: { code: string }) {
  const anyone = useParley();
  const isSignedIn = useSession() !== undefined;
  usePageTitle(t('acceptInvitation'));
  const query = useQuery({
    queryKey: ['invitation', code],
    queryFn: async () => (await anyone.inspectInvitation({ inviteToken: code })).invitation,
  });
  const { data: invitation, error } = query;
  return (
    <Entrance
      title={invitation ? t('joinTitle', { name: invitation.workspaceName }) : t('acceptInvitation')}
      foot={
        <Anchor component="button" type="button" size="sm" onClick={() => showInvitation(undefined)}>
          {t(isSignedIn ? 'toConsole' : 'toSignIn')}
        </Anchor>
      }
    >
      {invitation ? (
        <Stack>
          <Text size="sm">
            {t.rich('invitedAs', {
              email: invitation.email,
              role: roles(`role_${invitation.role}`),
              time: <When at={invitation.expiresAt} />,
            })}
          </Text>
          {isSignedIn ? <Join code={code} workspaceId={invitation.workspaceId} /> : <NewPerson code={code} />}
        </Stack>
      ) : isUnauthorised(error) ? (
        <Stack role="alert">
          <Text size="sm" fw={600}>
            {t('invitationDead')}
          </Text>
          <Text size="sm">{t('invitationDeadAbout')}</Text>
        </Stack>
      ) : error ? (
        <Failure error={error} retry={() => void query.refetch()} />
      ) : (
        <Loading />
      )}
    </Entrance>
  );
}

function NewPerson({ code }: { code: string }) {
  const [displayName, setDisplayName] = useState('');
  const accept = useAction(() => acceptInvitation(code, displayName.trim()), {
    onDone: workspaceId => {
      showInvitation(undefined);
      chooseWorkspace(workspaceId);
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    accept.mutate(undefined);
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <TextInput
          label={t('yourName')}
          value={displayName}
          onChange={event => setDisplayName(event.currentTarget.value)}
          maxLength={200}
          autoComplete="name"
          required
          withAsterisk={false}
          data-autofocus
        />
        <Button type="submit" fullWidth loading={accept.isPending}>
          {t('acceptAndSignIn')}
        </Button>
        <Text size="xs" c="dimmed">
          {t('newAccount')}
        </Text>
      </Stack>
    </form>
  );
}

function Join({ code, workspaceId }: { code: string; workspaceId: string }) {
  const parley = useParley();
  const queries = useQueryClient();
  const enter = () => {
    showInvitation(undefined);
    queries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'workspaces' });
    chooseWorkspace(workspaceId);
  };
  const join = useAction(() => parley.joinWorkspace({ inviteToken: code }), {
    changes: [['workspaces']],
    onDone: enter,
  });
  return (
    <Stack>
      <Button fullWidth loading={join.isPending} onClick={() => join.mutate(undefined)}>
        {t('joinWithAccount')}
      </Button>
      <Text size="xs" c="dimmed">
        {t('joinAbout')}
      </Text>
    </Stack>
  );
}
