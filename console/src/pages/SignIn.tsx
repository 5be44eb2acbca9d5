import { Anchor, Button, Center, Paper, PasswordInput, Stack, Text, TextInput, Title } from '@mantine/core';
import { type FormEvent, useEffect, useState } from 'react';
import { useParley } from '../api/clients.ts';
import { useAction } from '../api/useAction.ts';
import { chooseWorkspace, isToken, signIn } from '../session/session.ts';

export function SignIn() {
  const [hasInvitation, setHasInvitation] = useState(false);
  useEffect(() => {
    document.title = 'Sign in · Parley console';
  }, []);
  return (
    <Center p="md" mih="70vh">
      <Paper withBorder p="lg" w={420} maw="100%">
        <Stack>
          <Title order={1} size="h3">
            {hasInvitation ? 'Accept an invitation' : 'Sign in'}
          </Title>
          {hasInvitation ? <AcceptInvitation /> : <TokenForm />}
          <Anchor component="button" type="button" size="sm" onClick={() => setHasInvitation(!hasInvitation)}>
            {hasInvitation ? 'I have a token' : 'I have an invitation'}
          </Anchor>
        </Stack>
      </Paper>
    </Center>
  );
}

function TokenForm() {
  const [token, setToken] = useState('');
  const [fault, setFault] = useState('');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isToken(token.trim())) signIn(token.trim());
    else setFault('This is not a token. Paste all of it, from bp_pat_ to its end.');
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <Text size="sm">
          Paste a personal access token. It stays in this tab and is forgotten when you close it. An operator can also
          make a link that signs you in, with <code>npm run console</code>.
        </Text>
        <PasswordInput
          label="Personal access token"
          value={token}
          onChange={event => setToken(event.currentTarget.value)}
          error={fault}
          autoComplete="off"
          visibilityToggleButtonProps={{ 'aria-label': 'Show the token' }}
          required
        />
        <Button type="submit">Sign in</Button>
      </Stack>
    </form>
  );
}

function AcceptInvitation() {
  const parley = useParley();
  const [inviteToken, setInviteToken] = useState('');
  const [displayName, setDisplayName] = useState('');
  const [made, setMade] = useState<{ token: string; workspaceId: string }>();
  const accept = useAction(
    () => parley.acceptInvitation({ inviteToken: inviteToken.trim(), ...(displayName ? { displayName } : {}) }),
    { onDone: setMade },
  );
  if (made) {
    const enter = () => {
      signIn(made.token);
      chooseWorkspace(made.workspaceId);
    };
    return (
      <Stack>
        <Text size="sm">Your account is made. Keep this token: it signs you in, and it is not shown again.</Text>
        <TextInput label="Your token" value={made.token} readOnly onFocus={event => event.currentTarget.select()} />
        <Button onClick={enter}>I have kept it. Go on</Button>
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
        <Text size="sm">
          This makes a new account. If you have one already, sign in with it and join the workspace there.
        </Text>
        <TextInput
          label="Invitation"
          value={inviteToken}
          onChange={event => setInviteToken(event.currentTarget.value)}
          required
        />
        <TextInput
          label="Your name"
          value={displayName}
          onChange={event => setDisplayName(event.currentTarget.value)}
        />
        <Button type="submit" loading={accept.isPending}>
          Accept
        </Button>
      </Stack>
    </form>
  );
}
